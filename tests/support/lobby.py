"""Somebody in the lobby of a test's server."""


class Follower:
    """Somebody in the lobby, who keeps its lists as a page does."""

    def __init__(self, person, name=""):
        self.live = person.live()
        self.person = person
        self.people, self.seeks, self.games = {}, {}, {}
        self.ask("lobby", name=name)
        self.take(self.wait("lobby"))

    def ask(self, kind, **more):
        return self.live.ask(kind, **more)

    def take(self, message):
        for kind, key in (("people", "name"), ("seeks", "seek"), ("games", "table")):
            kept = getattr(self, kind)
            kept.update({each[key]: each for each in message[kind]})
            for gone in message.get(f"{kind}_gone", ()):
                del kept[gone]
        self.here, self.guests = message["here"], message["guests"]

    def wait(self, wanted):
        """Return the next message of a kind, or one that fits; differences that come meanwhile are taken in."""
        fits = (lambda message: message["type"] == wanted) if isinstance(wanted, str) else wanted
        while True:
            message = self.live.heard.pop(0) if self.live.heard else self.live.receive()
            if message["type"] == "lobby-changed":
                self.take(message)
            if fits(message):
                return message

    def until(self, fits):
        """Take differences in until something is so."""
        while not fits(self):
            self.wait("lobby-changed")

    def begun(self):
        """Wait until a seek has become a table, and return it."""
        return self.wait("begun")["table"]

    def players(self, seek):
        """Return how many take part in a seek."""
        return len(self.seeks[seek]["players"]) if seek in self.seeks else 0

"""Rate limiters and concurrency limiters."""

from triskele.server.rate_limits import ConcurrencyLimiter, RateLimiter, RefusalLog, TokenBucket


def test_buckets():
    now = [0.0]
    bucket = TokenBucket(2.0, 3, clock=lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    buckets = RateLimiter(1.0, 1, capacity=2, clock=lambda: now[0])
    assert buckets.take("a")
    assert not buckets.take("a")
    assert buckets.take("b")
    now[0] = 10.0
    buckets.drop_full()
    assert buckets.take("a")


def test_counts():
    counts = ConcurrencyLimiter(2)
    assert [counts.acquire("a"), counts.acquire("a"), counts.acquire("a")] == [True, True, False]
    counts.release("a")
    assert counts.acquire("a")
    assert not counts.acquire("b", limit=0)


def test_a_bucket_never_holds_more_than_its_burst():
    now = [0.0]
    bucket = TokenBucket(10.0, 2, clock=lambda: now[0])
    assert bucket.full
    assert bucket.take(2)
    assert not bucket.full
    now[0] = 100.0
    assert bucket.full
    assert [bucket.take(), bucket.take(), bucket.take()] == [True, True, False]
    assert not bucket.take(0.5), "a take that fails takes nothing, and one that is too large fails"


def test_the_bucket_used_least_recently_is_dropped_first():
    limiter = RateLimiter(0.0, 1, capacity=2, clock=lambda: 0.0)
    assert limiter.take("a")
    assert limiter.take("b")
    assert not limiter.take("a")
    assert limiter.take("c")
    assert not limiter.take("a"), "it was used after b"
    assert limiter.take("b"), "it was dropped, so it begins full"


def test_releasing_what_was_not_acquired_gives_nothing_away():
    limiter = ConcurrencyLimiter(1)
    limiter.release("a")
    limiter.release("a")
    assert limiter.acquire("a")
    assert not limiter.acquire("a")


def test_what_was_charged_without_being_there_is_owed():
    now = [0.0]
    limiter = RateLimiter(1.0, 2, clock=lambda: now[0])
    assert limiter.take("a")
    for _ in range(3):
        limiter.charge("a")
    assert not limiter.take("a")
    now[0] = 2.9
    assert not limiter.take("a"), "two are owed, and one must be there"
    now[0] = 3.0
    assert limiter.take("a")
    assert limiter.take("b")


def test_a_flood_of_refusals_is_a_line_a_minute(caplog):
    now = [0.0]
    refusals = RefusalLog(clock=lambda: now[0])
    for second in range(130):
        now[0] = float(second)
        refusals.note("sign-ups")
    refusals.note("reports")
    assert [record.getMessage() for record in caplog.records] == [
        "sign-ups over the limit: 1 refused",
        "sign-ups over the limit: 60 refused",
        "sign-ups over the limit: 60 refused",
        "reports over the limit: 1 refused",
    ]

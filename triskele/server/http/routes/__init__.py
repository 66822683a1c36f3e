"""The HTTP routes, version 1: one module for each kind of resource."""

PREFIX = "/api/v1"

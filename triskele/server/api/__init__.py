"""The HTTP interface, version 1: one module for each thing that can be asked about."""

PREFIX = "/api/v1"

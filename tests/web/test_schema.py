"""The API keeps what its description promises, whatever is asked of it."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from web.conftest import Api

EXAMPLES = 8  # of each request


def test_every_request_is_answered_as_described(api: Api) -> None:
    description = api.client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    schema.config.update(base_url=str(api.client.base_url))
    asked = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if (operation.method.upper(), operation.path) in LONG:
            continue

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @schemathesis_given(operation)
        def ask(case: schemathesis.Case) -> None:
            case.call_and_validate()

        ask()
        asked += 1
    assert asked >= 25


LONG = {("POST", "/api/runs"), ("POST", "/api/contests")}  # that start processes


def schemathesis_given(operation):
    from hypothesis import given

    return given(case=operation.as_strategy())


pytestmark = pytest.mark.filterwarnings("default")

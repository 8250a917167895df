"""The API keeps what its description promises, whatever is asked of it."""

import itertools
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from web.conftest import Api

EXAMPLES = 6  # of each request
STARTING = {("POST", "/api/runs"), ("POST", "/api/contests")}  # processes: tested by pages

pytestmark = pytest.mark.filterwarnings("default")


def test_every_request_is_answered_as_described(api: Api) -> None:
    description = api.client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    schema.config.update(base_url=str(api.client.base_url))
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) >= 25
    for operation, mode in itertools.product(operations, GenerationMode):
        if (operation.method.upper(), operation.path) in STARTING:
            continue
        if mode is GenerationMode.NEGATIVE and not operation.body:
            continue  # there is nothing to get wrong

        @settings(
            max_examples=EXAMPLES,
            phases=[Phase.generate],
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: schemathesis.Case[Any]) -> None:
            # A text of the right shape need not be a legal move: that is a declared 400.
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        ask()

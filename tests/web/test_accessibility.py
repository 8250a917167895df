"""No page has a serious fault by the rules of axe-core."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from web.conftest import Api, open_page

PAGES = (
    "/",
    "/analysis?game=tictactoe",
    "/train",
    "/arena",
    "/papers/strength",
    "/strength/connect4",
    "/api",
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_a_serious_fault(browser: Browser, server: str, api: Api, theme: str) -> None:
    boards = [
        api.post("/boards", game=game, seats=["human", "human"])["id"]
        for game in ("draughts", "hex")
    ]
    addresses = (*PAGES, *(f"/play/{board}" for board in boards))
    serious = []
    with open_page(browser, server, color_scheme=theme, bypass_csp=True) as page:
        for address in addresses:
            page.goto(address)
            page.wait_for_selector("main[data-ready]")
            serious += [
                (address, one["id"], [node["html"][:150] for node in one["nodes"][:3]])
                for one in Axe().run(page).response["violations"]
                if one["impact"] in ("serious", "critical")
            ]
    assert serious == []

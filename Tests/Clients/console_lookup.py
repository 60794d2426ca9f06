"""Checks of the ways to find a customer, a transaction or a notification: the list of accounts, the search, addresses and rows."""

import re
import time

from playwright.sync_api import expect

from console_window import store
from scenarios import SHOP

STATUSES = {1: "Active", 2: "Expired", 3: "Billing retry", 4: "Grace period", 5: "Revoked"}


def customers(window):
    """The list of accounts has plans, states, dates and totals, newest activity first, with one request."""
    page, asked = window.go("live"), []
    page.on("request", lambda request: asked.append(request.url) if "/control/v1/accounts" in request.url else None)
    window.go("accounts")
    for name in ["ada@example.com", "kurt@example.com", "grace@example.com"]:
        activity = store.control(f"accounts/{name}")["activity"]
        row = page.locator("tbody tr", has_text=name)
        for plan in activity["subscriptions"][:3]:
            line = row.locator(".plans li", has_text=plan["title"])
            expect(line.locator(".badge").first).to_have_text(STATUSES[plan["status"]])
            date = plan["expiresDate"] if plan["status"] in (1, 2) else plan.get("nextRenewalDate")
            if date:
                expect(line.locator("time")).to_have_text(time.strftime("%Y-%m-%d", time.gmtime(date / 1000)))
        charges = sum(each["amount"]["milliunits"] for each in store.control(f"accounts/{name}/charges")["charges"])
        assert f"{charges / 1000:,.2f}" in row.locator("td.number").inner_text(), (name, charges)
    assert len(asked) == 1, asked
    store.buy("linus@example.com", "seeds5")
    expect(page.locator("tbody tr").first).to_contain_text("linus@example.com")
    page.get_by_label("Find an account").fill("GRACE")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_label("Find an account").fill("nobody")
    expect(page.get_by_text("No account name contains “nobody”.")).to_be_visible()
    page.get_by_label("Find an account").fill("")
    expect(page.locator("tbody tr").nth(2)).to_be_visible()


def search(window):
    """The search finds every object by its identifier or name, and the keyboard opens a result."""
    page = window.go("live")
    box = page.get_by_role("combobox", name="Search")
    options = page.get_by_role("listbox", name="Search results").get_by_role("option")
    dialog = page.locator("dialog")

    def find(text, key="/"):
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        page.keyboard.press(key)
        expect(box).to_be_focused()
        page.keyboard.insert_text(text)

    payload = [each for each in store.transactions("ada@example.com") if "webOrderLineItemId" in each][0]
    transaction = payload["transactionId"]
    order = store.control(f"transactions/{transaction}")["summary"]["orderID"]
    for text, key in [(transaction, "/"), (order.lower(), "Control+k"), (payload["webOrderLineItemId"], "/")]:
        find(text, key)
        page.keyboard.press("Enter")
        expect(dialog.locator("h2")).to_have_text(f"Transaction {transaction}")
        expect(page.locator("main h1")).to_have_text("ada@example.com")
    notification = store.control("notifications")["deliveries"][0]["notificationUUID"]
    find(notification[:13].upper())
    expect(options).to_contain_text([notification])
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text(notification)
    # The arrow keys select another result.
    find("EXAMPLE.com")
    expect(options.nth(2)).to_be_visible()
    chosen = page.locator("[role=option][aria-selected=true]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    name = options.nth(1).locator("strong").inner_text()
    expect(chosen.locator("strong")).to_have_text(name)
    expect(box).to_have_attribute("aria-activedescendant", chosen.get_attribute("id"))
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text(name)
    expect(page.locator("main")).to_be_focused()
    find("almanac, YEARLY")
    page.keyboard.press("Enter")
    expect(page.locator("tr:focus-within")).to_contain_text(f"{SHOP}almanac.yearly")
    store.call("sandbox/verifyReceipt", {"receipt-data": "AAAA"})
    number = store.control("requests?control=false")["requests"][-1]["id"]
    find(f"#{number}")
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    assert page.evaluate("location.hash") == f"#/requests/{number}"
    find("<b>nowhere</b>")
    expect(page.locator(".results")).to_contain_text("Nothing in this store has the identifier or the name “<b>nowhere</b>”.")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(box).to_have_value("")
    # The slash key focuses the search, but in a text field it types a slash.
    window.go("accounts")
    page.get_by_label("Find an account").press("/")
    expect(page.get_by_label("Find an account")).to_have_value("/")
    page.get_by_label("Find an account").fill("")


def links(window):
    """The addresses of transactions, notifications and accounts open them; an unknown identifier shows a message."""
    page = window.go("live")
    dialog = page.locator("dialog")

    def load(address):
        page.evaluate("hash => { location.hash = hash }", f"#/{address}")
        page.reload()

    transaction = store.last("ada@example.com", "almanac.yearly")["transactionId"]
    load(f"transactions/{transaction}")
    expect(dialog.locator("h2")).to_have_text(f"Transaction {transaction}")
    expect(page.locator("main h1")).to_have_text("ada@example.com")
    expect(page.locator("[data-section=accounts]")).to_have_attribute("aria-current", "page")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#/accounts/ada%40example.com$"))
    notification = store.control("notifications")["deliveries"][-1]
    load(f"notifications/{notification['notificationUUID']}")
    expect(dialog).to_contain_text(notification["notificationUUID"])
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#/notifications$"))
    expect(page.locator("main h1")).to_have_text("Notifications")
    for address, sentence in [
        ("transactions/1", "The store has no transaction 1."), ("accounts/nobody", "The store has no account nobody."),
        ("notifications/1234", "The store has no notification 1234."), ("transactions/%", "The store has no transaction %."),
    ]:
        load(address)
        expect(page.get_by_text(sentence)).to_be_visible()
        page.keyboard.press("Escape")


def rows(window):
    """A click on a row opens the row, except a click on a control and a click that ends a selection of text."""
    dialog = window.page.locator("dialog")
    page = window.go("accounts")
    page.locator("tbody tr", has_text="ada@example.com").locator("td.time").click()
    expect(page.locator("main h1")).to_have_text("ada@example.com")
    row = page.locator("tbody tr", has_text="almanac.yearly").first
    row.locator("td.name").click(position={"x": 3, "y": 3})
    expect(dialog.locator("h2")).to_contain_text("Transaction")
    assert "#/transactions/" in page.evaluate("location.hash")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#/accounts/ada%40example.com$"))
    # The close button of the previous dialog has disappeared before the next click.
    expect(dialog).to_have_count(0)
    date = row.locator("td.time time").bounding_box()
    page.mouse.move(date["x"] + 2, date["y"] + date["height"] / 2)
    page.mouse.down()
    page.mouse.move(date["x"] + date["width"] - 4, date["y"] + date["height"] / 2, steps=4)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()") != ""
    expect(dialog).to_have_count(0)
    row.get_by_role("button", name=re.compile("^Refund")).click()
    expect(dialog.locator("h2")).to_have_text("Issue a refund")
    expect(dialog).to_have_count(1)
    page.keyboard.press("Escape")
    page = window.go("notifications")
    page.locator("tbody tr").first.locator("td.number").last.click()
    expect(dialog).to_contain_text("notificationUUID")
    with page.context.expect_page() as other:
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        page.locator("tbody tr").first.locator("td.number").last.click(modifiers=["Control"])
    expect(other.value.locator("dialog")).to_contain_text("notificationUUID")
    other.value.close()


def verification(window):
    """The signed body of a notification is verified step by step, and each attempt has its address, status and duration."""
    delivery = [each for each in store.control("notifications")["deliveries"] if each.get("lastAttempt", {}).get("status") == 200][-1]
    page = window.go(f"notifications/{delivery['notificationUUID']}")
    dialog = page.locator("dialog")
    dialog.get_by_role("tab", name="Body").click()
    dialog.get_by_role("tab", name="Verification").click()
    expect(dialog.locator(".verdict")).to_contain_text("Verified")
    expect(dialog.locator("tbody tr", has_text="signature").first).to_contain_text("passed")
    dialog.get_by_role("tab", name="Attempts").click()
    attempt = dialog.locator("tbody tr").first
    for text in ["200", f"{delivery['lastAttempt']['milliseconds']} ms", delivery["lastAttempt"]["url"], "received"]:
        expect(attempt).to_contain_text(text)
    page.keyboard.press("Escape")


def states(window):
    """The state of each transaction depends on the store's time, and not on the browser's clock."""
    page = window.go("accounts/ada%40example.com")
    expect(page.locator("tbody tr").first).to_be_visible()
    now = store.control("clock")["now"]
    assert abs(now / 1000 - time.time()) > 86_400, "the clocks of the store and of the machine are the same"

    def state(payload):
        if "revocationDate" in payload:
            return "Refunded"
        if payload.get("isUpgraded"):
            return "Upgraded"
        return "Owned" if "expiresDate" not in payload else "Expired" if payload["expiresDate"] <= now else "Active"

    expected = {each["transactionId"]: state(each) for each in store.transactions("ada@example.com")}
    assert {"Active", "Expired", "Owned"} <= set(expected.values()), expected
    shown = page.locator("tbody tr")
    for index in range(shown.count()):
        row = shown.nth(index)
        expect(row.locator(".badge").first).to_have_text(expected[row.locator("td.id a").inner_text()])
    for word in ["Active", "Expired"]:
        transaction = next(key for key, value in expected.items() if value == word)
        window.page.evaluate("hash => { location.hash = hash }", f"#/transactions/{transaction}")
        expect(page.locator("dialog h2")).to_have_text(f"Transaction {transaction}")
        expect(page.locator("dialog dl .badge")).to_have_text(word)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)

"""Checks of the sections of a store's console."""

import json
import re
import threading
import time
import urllib.request

from playwright.sync_api import expect

from console_window import addresses, store
from scenarios import DAY, SHOP, Receiver


DEVICE = "6ba7b811-9dad-11d1-80b4-00c04fd430c8"


def live(window):
    page = window.go("live")
    page.evaluate("window.stillTheSame = true")
    store.buy("ada@example.com", "seeds5")
    row = page.locator("tr.fresh", has_text="Bought").filter(has_text="seeds5")
    expect(row).to_be_visible()
    assert page.evaluate("window.stillTheSame"), "the page was reloaded"
    expect(row.locator("td.owner a")).to_have_text("ada@example.com")
    # The cell has the product's name, and the product ID below the name.
    expect(row.locator(".named")).to_contain_text("garden.seeds5")
    expect(row.locator(".named > span").first).to_have_text("5 seeds")
    page.get_by_role("button", name="Refunds").click()
    expect(row).to_have_count(0)
    expect(page.locator("tbody tr").first).to_contain_text("Refund")
    page.get_by_role("button", name="Everything").click()
    expect(page.locator("tbody tr").first).to_be_visible()


def happenings(window):
    """Events that the store has recorded together share one row, even if other events have the same date."""
    page = window.go("live")

    def rows(*events):
        """Returns the kinds of the events in each row, oldest row first; all events have the same date."""
        listed = [{"id": number + 1, "date": 1, "account": "a", "transactionID": "t", "notificationUUID": f"n{number}",
                   **({"kind": each} if isinstance(each, str) else each)} for number, each in enumerate(events)]
        return page.evaluate("""async (events) => {
            const { happenings } = await import("./happenings.js");
            const groups = happenings(events.toReversed());
            return events.filter(groups.isRow).map((event) => [event, ...groups.parts.get(event.id) ?? []].map((each) => each.kind).join(" "));
        }""", listed)

    assert rows("renewal", "subscription", "notification") == ["renewal subscription notification"]
    assert rows("subscription", "notification", "subscription", "notification") == ["subscription notification"] * 2
    assert rows("refundRequest", "notification", "subscription", "notification") == ["refundRequest notification", "subscription notification"]
    assert rows("refundRequest", "notification", "notification") == ["refundRequest notification", "notification"]
    assert rows("purchase", "notification", "finish", "refund", "notification") == ["purchase notification", "finish", "refund notification"]
    assert rows("purchase", "subscription", {"kind": "fault", "account": None}, "notification") == ["purchase subscription notification", "fault"]
    assert rows("purchase", {"kind": "notification", "account": "b"}) == ["purchase", "notification"]
    assert rows("purchase", {"kind": "notification", "id": 9}) == ["purchase", "notification"]
    # A delivery is a part of the notification's row if the notification is loaded.
    assert rows("notification", {"kind": "delivery", "notificationUUID": "n0"}) == ["notification"]
    assert rows({"kind": "delivery", "notificationUUID": "elsewhere"}) == ["delivery"]


def presses(window):
    """What the page has read is drawn after the release of a pressed button, at most 10 s after the press."""
    page = window.go("live")
    states = page.evaluate("""async () => {
        const { released } = await import("./dom.js");
        const original = [window.setTimeout, window.clearTimeout];
        const timers = new Map();
        window.setTimeout = (call, after = 0) => { timers.set(timers.size + 1, { call, after }); return timers.size; };
        window.clearTimeout = (id) => { if (timers.has(id)) timers.get(id).call = () => {}; };
        const run = (after) => { for (const timer of timers.values()) if (timer.after === after) timer.call(); };
        const send = (type, buttons) => document.body.dispatchEvent(new PointerEvent(type, { bubbles: true, buttons }));
        const states = [];
        const note = () => states.push(released() ? "waits" : "draws");
        try {
            note();
            for (const end of ["pointerup", "pointercancel"]) {
                send("pointerdown", 1);
                note();
                send("pointermove", 1);
                note();
                send(end, 0);
                note();
            }
            // The time limits of the earlier presses have no effect on a later press.
            send("pointerdown", 1);
            const drawn = released();
            send("pointerup", 0);
            send("pointerdown", 1);
            timers.delete(timers.size);
            run(10000);
            note();
            send("pointermove", 0);
            note();
            send("pointerdown", 1);
            run(10000);
            note();
            run(0);
            await drawn;
        } finally {
            [window.setTimeout, window.clearTimeout] = original;
        }
        return states;
    }""")
    assert states == ["draws", *["waits", "waits", "draws"] * 2, "waits", "draws", "draws"], states


def box(locator):
    found = locator.bounding_box()
    return found["x"], found["x"] + found["width"]


def timeline(window):
    page = window.go("accounts/ada%40example.com")
    svg = page.locator("svg.timeline-svg")
    expect(svg.locator("rect.bar.offer.shape")).to_have_count(1)
    expect(svg.locator("rect.bar.grace.shape")).to_have_count(1)
    expect(svg.locator("rect.bar.retry.shape")).to_have_count(1)
    expect(svg.locator("g.mark.refund")).to_have_count(1)
    expect(svg.locator("circle.dot.refunded")).to_have_count(1)
    expect(svg.locator("g.mark.upgrade")).to_have_count(1)
    expect(svg.locator("g.mark.off")).to_have_count(1)
    paid = svg.locator("g.item", has=page.locator("rect.paid"))
    periods = [each for each in store.transactions("ada@example.com") if "expiresDate" in each and "offerType" not in each]
    expect(paid).to_have_count(len(periods))
    # The failed renewal: a paid period, then the grace period, then billing retry, then a paid period.
    monthly = paid.filter(has_text="almanac.monthly")
    grace, retry = box(svg.locator("rect.bar.grace.shape")), box(svg.locator("rect.bar.retry.shape"))
    ends = [box(monthly.nth(index)) for index in range(monthly.count())]
    assert any(abs(end - grace[0]) < 3 for _, end in ends), f"no paid period ends where the grace period begins: {ends}, {grace}"
    assert abs(grace[1] - retry[0]) < 3, f"billing retry does not follow the grace period: {grace}, {retry}"
    assert any(abs(begin - retry[1]) < 3 for begin, _ in ends), f"no paid period begins where billing retry ends: {ends}, {retry}"
    # The marker is at the store's current time, and the labels of the ticks do not overlap.
    hand = box(svg.locator("g.hand line"))[0]
    assert any(begin < hand < end for begin, end in [box(svg.locator("g.item", has_text="almanac.yearly").locator("rect.paid"))])
    assert svg.locator("g.hand").get_attribute("data-now")[:16] == page.locator("#clock-now").inner_text()[:16]
    ticks = [box(svg.locator("text.tick").nth(index)) for index in range(svg.locator("text.tick").count())]
    assert 4 <= len(ticks) <= 14 and all(a[1] < b[0] for a, b in zip(ticks, ticks[1:])), f"{ticks}"
    page.get_by_role("button", name="Quarter").click()
    assert svg.locator("rect.bar.grace.shape").count() == 0, "a quarter does not reach back to the grace period"
    page.get_by_role("button", name="Everything").click()
    # Hovering shows details, and a click shows the decoded signed data.
    svg.locator("g.item", has=page.locator("rect.grace")).hover()
    expect(page.locator(".timeline-status")).to_contain_text("Grace period")
    # The dialog has the same state as the row of the current period.
    active = page.locator("tbody tr", has_text="almanac.yearly").filter(has_text="Active").first
    active.locator("a.item").click()
    expect(page.locator("dialog dl")).to_contain_text("Active")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.locator("tbody a.item").first.click()
    page.get_by_role("tab", name="Signed data").click()
    page.get_by_role("tab", name="JSON").click()
    expect(page.locator("dialog .code")).to_contain_text('"bundleId": "com.example.garden"')
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    # The transcript contains the timeline as text.
    page.get_by_text(re.compile("^As text: ")).click()
    lines = page.locator(".transcript li")
    expect(lines.filter(has_text="Grace period")).to_have_count(1)
    expect(lines.filter(has_text=re.compile("Refunded .*almanac.plus"))).to_have_count(1)


def subscription(window):
    page = window.go("accounts/ada%40example.com")
    card = page.locator("article.subscription", has_text="Almanac, yearly")
    card.get_by_role("button", name="Disable auto-renew").click()
    expect(card).to_contain_text("Will not renew")
    expect(page.locator("svg.timeline-svg g.mark.off")).to_have_count(2)
    card.get_by_role("button", name="Enable auto-renew").click()
    expect(card.get_by_role("button", name="Disable auto-renew")).to_be_focused()
    page.get_by_role("button", name="Reverse the refund of").last.click()
    expect(page.locator("svg.timeline-svg circle.dot.refunded")).to_have_count(0)


def buying(window):
    # While an account loads, the page of the previous account is inert.
    page, routes, address = window.page, [], "**/accounts/grace*/transactions"
    page.route(address, lambda route: routes.append(route))
    page.evaluate("location.hash = '#/accounts/grace%40example.com'")
    expect(page.locator("main")).to_have_js_property("inert", True)
    while not routes:
        page.wait_for_timeout(20)
    routes[0].continue_()
    page.unroute(address)
    page = window.go("accounts/grace%40example.com")
    page.get_by_role("button", name="Buy…").click()
    page.get_by_label("Product", exact=True).select_option(f"{SHOP}shed|")
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("svg.timeline-svg circle.dot")).to_have_count(1)
    expect(page.locator("tbody tr").first).to_contain_text("shed")


def accounts(window):
    page = window.go("accounts")
    page.get_by_role("button", name="New account…").click()
    page.get_by_label("Account name").fill("otto@example.com")
    page.get_by_role("button", name="Create account").click()
    expect(page.locator("main h1")).to_have_text("otto@example.com")
    expect(page.get_by_text("No purchases yet.")).to_be_visible()
    page.get_by_role("button", name="Settings…").click()
    page.get_by_label("Storefront").fill("DEU")
    page.get_by_label("Family", exact=True).fill("moss")
    page.locator("dialog button[type=submit]").click()
    expect(page.locator(".tags")).to_contain_text("DEU")
    expect(page.locator(".tags")).to_contain_text("Family moss")
    page.get_by_role("switch", name="Ask to Buy").click()
    expect(page.get_by_role("switch", name="Ask to Buy")).to_have_attribute("aria-checked", "true")
    page.get_by_role("switch", name="Payment method is valid").click()
    expect(page.locator(".tags")).to_contain_text("Payment method declines")
    account = next(each for each in store.control("accounts")["accounts"] if each["account"] == "otto@example.com")
    assert (account["storefront"], account["askToBuyEnabled"], account["hasValidPaymentMethod"]) == ("DEU", True, False), account
    # The account is removed after a confirmation, which Escape declines.
    page.get_by_role("button", name="Remove account…").click()
    expect(page.locator("dialog")).to_contain_text("This can’t be undone.")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Remove account…").click()
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("main h1")).to_have_text("Accounts")
    expect(page.get_by_role("link", name="otto@example.com")).to_have_count(0)
    assert all(each["account"] != "otto@example.com" for each in store.control("accounts")["accounts"])


def devices(window):
    store.call("device/v1/sign-in", {
        "account": "ada@example.com", "password": "secret", "device": DEVICE, "bundleID": "com.example.garden", "appVersion": "1.0"})
    page = window.go("devices")
    row = page.locator("tbody tr", has_text=DEVICE)
    for words in ["ada@example.com", "com.example.garden", "allowed", page.locator("#clock-now").inner_text()[:10]]:
        expect(row).to_contain_text(words)
    row.get_by_role("button", name="Restrict").click()
    expect(row).to_contain_text("restricted")
    expect(row.get_by_role("button", name="Allow")).to_be_focused()
    assert [each["isRestricted"] for each in store.control("devices")["devices"] if each["device"] == DEVICE] == [True]
    row.get_by_role("button", name="Allow").click()
    expect(row).to_contain_text("allowed")


def catalog(window):
    page = window.go("catalog")
    row = page.locator("tbody tr", has_text="com.example.garden.almanac.monthly")
    for words in ["$4.99 a month", "Introductory offer", "free trial, a week", "Win-back offer"]:
        expect(row).to_contain_text(words)
    page.get_by_role("button", name="New app…").click()
    page.get_by_label("Bundle ID").fill("com.example.further")
    page.locator("dialog input[type=file]").set_input_files({"name": "No.storekit", "mimeType": "application/json", "buffer": b"{not json"})
    page.get_by_role("button", name="Add").click()
    expect(page.locator("dialog .refusal")).to_have_text("The file is not valid JSON. Choose a .storekit file.")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    product(page)


def product(page):
    """A product is added, changed and removed; the form shows the error of a field next to the field."""
    refusal, submit = page.locator("dialog .refusal"), page.locator("dialog button[type=submit]")
    page.get_by_role("button", name="New product…").click()
    page.get_by_label("Product ID").fill("com.example.garden.tools.monthly")
    page.get_by_label("Type").select_option("RecurringSubscription")
    page.get_by_label("Display name, en_US").fill("Tools")
    for price, words in [("4,99", "with a point before decimals"), ("4.999", "at most 2 decimals"), ("0", "above 0")]:
        page.get_by_label("Price, USD", exact=True).fill(price)
        submit.click()
        expect(refusal).to_contain_text(words)
        expect(page.get_by_label("Price, USD", exact=True)).to_be_focused()
    page.get_by_label("Price, USD", exact=True).fill("4.90")
    page.get_by_label("Subscription group").select_option("New group")
    page.get_by_label("Name of the new group").fill("Tools")
    page.get_by_role("group", name="Introductory offer").get_by_label("Payment").select_option("Pay up front")
    page.get_by_role("group", name="Introductory offer").get_by_label("Offer price, USD").fill("0.99")
    page.get_by_role("button", name="Add a promotional offer").click()
    page.get_by_label("Offer ID").fill("spring")
    page.get_by_role("button", name="Add an offer code").click()
    code = page.get_by_role("group", name="Offer code")
    for audience in ["For new subscribers", "For subscribers", "For lapsed subscribers"]:
        code.get_by_label(audience, exact=True).uncheck()
    submit.click()
    expect(refusal).to_contain_text("Enter the code name")
    code.get_by_label("Code name").fill("ROOTS")
    submit.click()
    expect(refusal).to_contain_text("at least one kind of customer")
    code.get_by_label("For lapsed subscribers").check()
    page.get_by_role("button", name="Add a win-back offer").click()
    comeback = page.get_by_role("group", name="Win-back offer")
    comeback.get_by_label("Offer ID").fill("again")
    comeback.get_by_label("Payment").select_option("Pay as you go")
    comeback.get_by_label("Number of periods").fill("3")
    comeback.get_by_label("Offer price, USD").fill("1.49")
    submit.click()
    row = page.locator("tbody tr", has_text="com.example.garden.tools.monthly")
    for words in ["Tools", "$4.90 a month", "pay up front, $0.99 for a week", "Promotional offer spring", "Offer code ROOTS", "Win-back offer again"]:
        expect(row).to_contain_text(words)
    added = subscriptions_of("com.example.garden.tools.monthly")
    assert added["codeOffers"][0]["eligibility"] == ["expired"] and added["winbackOffers"][0]["numberOfPeriods"] == 3, added
    # A change or a removal of an offer does not change the other offers.
    row.get_by_role("button", name="Edit").click()
    page.get_by_role("group", name="Win-back offer").get_by_label("Eligible").select_option("No account")
    page.get_by_role("button", name="Remove this code").click()
    submit.click()
    expect(row).not_to_contain_text("ROOTS")
    changed = subscriptions_of("com.example.garden.tools.monthly")
    assert changed["introductoryOffer"] == added["introductoryOffer"], changed
    assert changed["codeOffers"] == [] and changed["adHocOffers"] == added["adHocOffers"], changed
    assert changed["winbackOffers"] == [{**added["winbackOffers"][0], "isEligible": False}], changed
    # An existing identifier is refused. A changed product keeps the values that the form does not show.
    page.get_by_role("button", name="New product…").click()
    page.get_by_label("Product ID").fill("com.example.garden.shed")
    page.get_by_label("Display name, en_US").fill("Shed")
    page.get_by_label("Price, USD", exact=True).fill("1")
    submit.click()
    expect(refusal).to_contain_text("already has the product com.example.garden.shed")
    page.keyboard.press("Escape")
    before = subscriptions_of("com.example.garden.almanac.monthly")
    page.locator("tbody tr", has_text="almanac.monthly").get_by_role("button", name="Edit").click()
    page.get_by_label("Price, USD", exact=True).fill("5.99")
    submit.click()
    expect(page.locator("tbody tr", has_text="almanac.monthly")).to_contain_text("$5.99 a month")
    after = subscriptions_of("com.example.garden.almanac.monthly")
    assert after["displayPrice"] == "5.99"
    assert all(after[key] == before[key] for key in ["codeOffers", "winbackOffers", "localizations", "groupNumber"]), after
    page.locator("tbody tr", has_text="almanac.monthly").get_by_role("button", name="Edit").click()
    page.get_by_label("Price, USD", exact=True).fill("4.99")
    submit.click()
    expect(page.locator("dialog")).to_have_count(0)
    row.get_by_role("button", name="Remove").click()
    expect(page.locator("dialog")).to_contain_text("Accounts keep their purchases")
    submit.click()
    expect(row).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download .storekit").click()
    with open(download.value.path()) as file:
        assert "com.example.garden.shed" in file.read()


def subscriptions_of(product_id):
    groups = store.control("apps/com.example.garden/storekit")["subscriptionGroups"]
    return next(each for group in groups for each in group["subscriptions"] if each["productID"] == product_id)


def approval(window):
    page = window.go("pending")
    before = len(store.transactions("tove@example.com"))
    expect(page.locator("[data-count=pending]")).to_have_text("3")
    page.get_by_role("button", name=re.compile("^Approve .*greenhouse for tove")).click()
    expect(page.get_by_text("No purchase is pending in Ask to Buy")).to_be_visible()
    assert len(store.transactions("tove@example.com")) == before + 1
    page.get_by_role("button", name=re.compile("^Resolve")).click()
    expect(page.get_by_text("No purchase is interrupted")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Decline the refund")).click()
    expect(page.get_by_text("No refund requests")).to_be_visible()
    expect(page.locator("[data-count=pending]")).to_be_empty()


def clock(window):
    page = window.go("clock")
    now = lambda: store.control("clock")["now"]
    before = now()
    page.get_by_role("button", name="Advance the clock by a week").click()
    expect(page.locator("#clock-now")).to_contain_text(time.strftime("%Y-%m-%d", time.gmtime(before / 1000 + 7 * DAY)))
    assert 0 <= now() - before - 7 * DAY * 1000 < 60_000
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#clock-speed")).to_have_text("stopped")
    stands = now()
    assert page.locator("#clock-now").inner_text() == time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(stands // 1000))
    there = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(stands // 1000 + 3 * DAY))
    page.get_by_label("Date and time, UTC").fill(there)
    page.get_by_role("button", name="Advance to date").click()
    expect(page.locator("#clock-now")).to_have_text(there.replace("T", " "))
    page.get_by_role("button", name="Real time").click()
    expect(page.locator("#clock-speed")).to_have_text("real time")
    # The message after an advance of the clock has the numbers of the events.
    store.buy("mona@example.com", "weather.weekly")
    page.get_by_role("button", name="Advance the clock by a calendar month").click()
    expect(page.locator(".notice.good").last).to_contain_text(re.compile(r"\d+ renewals?, .*\d+ notifications?"))
    # The clock advances to the next scheduled renewal, and a message says that no subscription is in a grace period.
    due = store.control("clock/schedule")["renewal"]
    page.get_by_role("button", name="To the next renewal").click()
    expect(page.locator(".notice.good").last).to_contain_text(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(due // 1000)))
    page.get_by_role("button", name="To the end of the grace period").click()
    expect(page.locator(".notice.bad")).to_contain_text("No subscription is in a grace period. The clock is unchanged.")
    page = window.go("accounts/mona%40example.com")
    renewals = len(store.transactions("mona@example.com"))
    page.get_by_role("button", name="Advance to the next renewal").click()
    expect(page.get_by_role("tab", name="Transactions")).to_contain_text(str(renewals + 1))


def fault(window):
    page = window.go("faults")
    row = page.locator("[data-fault=verifyReceiptStatus]")
    row.get_by_label("Limits: Status (verifyReceipt)").click()
    row.get_by_label("Number of times").fill("9")
    # The summary shows the number of hidden limits, and hidden limits apply.
    row.locator("summary").click()
    expect(row.locator("summary")).to_have_text("Limits (1)")
    row.get_by_label("Status", exact=True).fill("21009")
    page.get_by_role("button", name="Enable: Status (verifyReceipt)").click()
    expect(page.locator(".on-list li")).to_contain_text("21009")
    expect(page.locator(".on-list li")).to_contain_text("9 more times")
    answer = store.call("sandbox/verifyReceipt", {"receipt-data": "AAAA"})
    assert answer["status"] == 21009, answer
    expect(page.locator("[data-count=faults]")).to_have_text("1")
    page.get_by_role("button", name="Disable: Status (verifyReceipt)").click()
    expect(page.get_by_text("No faults are enabled")).to_be_visible()
    assert store.control("faults")["faults"] == []
    assert store.call("sandbox/verifyReceipt", {"receipt-data": "AAAA"})["status"] != 21009
    # The row of the rate limits shows the limits, a button, and whether the limits are enabled.
    limits = page.locator(".fault", has_text="Rate limits")
    expect(limits).to_contain_text("360 to 18,000 times an hour in the sandbox")
    page.get_by_text("Limit of each endpoint").click()
    expect(page.locator("tbody tr", has_text="/inApps/v2/history/")).to_contain_text("180,000")
    limits.get_by_role("button", name="Enable").click()
    expect(limits).to_contain_text("enabled")
    limits.get_by_role("button", name="Disable").click()
    expect(limits.get_by_role("button", name="Enable")).to_be_focused()


def notifications(window):
    page = window.go("notifications")
    count = len(store.control("notifications")["deliveries"])
    page.get_by_role("button", name="Trigger…").click()
    page.get_by_label("Kind").select_option("DID_RENEW|BILLING_RECOVERY")
    page.get_by_role("button", name="Trigger notification").click()
    rows = page.locator("tbody tr")
    expect(rows.first).to_contain_text("DID_RENEW, BILLING_RECOVERY")
    assert len(store.control("notifications")["deliveries"]) > count
    # The list can show the notification before the dialog closes, which would receive the press.
    expect(page.locator("dialog")).to_have_count(0)
    # A link that is pressed while a new notification arrives opens its item.
    place = rows.first.locator("a.item").bounding_box()
    page.mouse.move(place["x"] + 5, place["y"] + 5)
    page.mouse.down()
    with page.expect_response(lambda response: response.url.endswith("/control/v1/notifications")):
        store.control("notifications/trigger", {"type": "TEST"})
    page.mouse.up()
    expect(rows.first).to_contain_text("TEST")
    first = rows.nth(1)
    expect(page.locator("dialog")).to_contain_text("notificationUUID")
    page.get_by_role("tab", name="Body").click()
    expect(page.locator("dialog")).to_contain_text("notificationType")
    # Before this resend, no server listens at the notification URL.
    with Receiver() as receiver:
        store.control("apps/com.example.garden", {"sandboxURL": receiver.url})
        page.get_by_role("button", name="Resend notification").click()
        expect(page.locator(".notice.good", has_text="Notification delivered")).to_be_visible()
        assert any("signedPayload" in each for each in receiver.received)
    expect(first.locator(".badge")).to_have_text("delivered")
    # A purchase, the notification and the delivery share one row in the list of all events, and have separate rows in the list of notifications.
    with Receiver() as receiver:
        store.control("apps/com.example.garden", {"sandboxURL": receiver.url})
        page = window.go("live")
        store.buy("ada@example.com", "seeds5")
        newest = page.locator("tbody tr").first
        expect(newest.locator("td.what")).to_have_text("Bought")
        expect(newest.locator("td.more-text")).to_have_text(re.compile(r"^one time charge delivered \d+ ms$"))
        newest.locator("td.more-text a.item").click()
        expect(page.locator("dialog")).to_contain_text("notificationUUID")
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        page.get_by_role("group", name="Show only").get_by_role("button", name="Notifications").click()
        expect(page.locator("tbody tr td.what").nth(0)).to_have_text("Delivery")
        expect(page.locator("tbody tr td.what").nth(1)).to_have_text("Notification")
        expect(page.locator("tbody tr td.more-text").nth(1)).to_contain_text("delivered")
    # The row of a test notification shows the later delivery, in the list of notifications and in the list of all events.
    answers = threading.Event()
    with Receiver(refuses=lambda _: not answers.wait(30)) as receiver:
        store.control("apps/com.example.garden", {"sandboxURL": receiver.url})
        for shown in ["Notifications", "Everything"]:
            answers.clear()
            page.get_by_role("group", name="Show only").get_by_role("button", name=shown).click()
            sending = threading.Thread(target=store.control, args=("notifications/trigger", {"type": "TEST"}))
            sending.start()
            newest = page.locator("tbody tr").first.locator("td.more-text")
            expect(newest).to_have_text("test")
            link = newest.locator("a").get_attribute("href")
            answers.set()
            sending.join()
            # In the list of notifications, the delivery has a separate row above the notification.
            row = page.locator("tbody tr", has=page.locator(f"a[href='{link}']")).last
            expect(row.locator("td.more-text")).to_have_text(re.compile(r"^test delivered \d+ ms$"))


def requests(window):
    """A refused request appears at once with the reason, has an address, and the page never contains the password of the request."""
    page = window.go("requests")
    row = page.locator("tbody tr").first

    def ask(path, body):
        request = urllib.request.Request(f"{addresses['url']}{path}", data=body.encode(), headers={"User-Agent": "garden-server/2"})
        return urllib.request.urlopen(request).read().decode()

    ask("/verifyReceipt", '{"receipt-data": "!", "password": "open sesame"}')
    expect(row).to_contain_text("/verifyReceipt")
    expect(row.locator(".badge")).to_have_text("200 · 21002")
    expect(row).to_contain_text("receipt-data is no standard base64")
    row.locator("button.link").click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("garden-server/2")
    expect(dialog.locator("pre")).to_contain_text('"password": "•••"')
    assert "open sesame" not in page.content()
    page.get_by_role("tab", name="Response").click()
    expect(dialog.locator("pre")).to_contain_text("21002")
    page.get_by_role("button", name="Close", exact=True).click()
    # A request without an error appears, and the filters apply.
    ask("/device/v1/sign-in", json.dumps({
        "account": "ada@example.com", "password": "secret", "device": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "bundleID": "com.example.garden", "appVersion": "1.0"}))
    expect(row).to_contain_text("/device/v1/sign-in")
    page.get_by_label("Only refused and failed").check()
    expect(row).to_contain_text("/verifyReceipt")
    page.get_by_role("button", name="Server API").click()
    expect(page.locator(".empty")).to_contain_text("No request matches the filters.")
    page.get_by_role("button", name="All but control").click()
    page.get_by_label("Only refused and failed").uncheck()
    page.get_by_label("Search in the requests").fill("ada@EXAMPLE.com")
    expect(page.locator("tbody tr").first).to_contain_text("sign-in")
    expect(page.locator("tbody tr", has_text="21002")).to_have_count(0)
    page.get_by_label("Search in the requests").fill("")
    number = [each["id"] for each in store.control("requests?surface=verifyReceipt")["requests"]][-1]
    page.evaluate("hash => { location.hash = hash }", f"#/requests/{number}")
    expect(dialog).to_contain_text("garden-server/2")
    page.get_by_role("button", name="Close", exact=True).click()


def refusal(window):
    page = window.page
    page.evaluate("location.hash = '#/nonsense'")
    expect(page.locator("main h1")).to_have_text("No such section")
    page.locator("main").get_by_role("link", name="open the live events").click()
    expect(page.locator("main h1")).to_have_text("Live")
    page = window.go("accounts")
    page.get_by_role("button", name="New account…").click()
    page.get_by_label("Account name").fill("ada@example.com")
    page.get_by_label("Password").fill("another")
    page.get_by_role("button", name="Create account").click()
    expect(page.locator("dialog .refusal")).to_have_text("An account with this name and a different configuration exists; choose another name.")
    page.keyboard.press("Escape")

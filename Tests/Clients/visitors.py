"""Simulates visitors of the sample app's page, each with random actions.

    visitors.py URL COUNT STEPS SEED PAUSE together|alone [DELAY]

A visitor waits PAUSE seconds before each step, on average, and receives each change of the phone DELAY seconds late. Prints one line of JSON: the state at the end of each visit, by the visit's seed,
and the durations of taps in milliseconds. A tap lasts from the request until the event with the effect has arrived.
"""

import http.client
import json
import random
import re
import sys
import threading
import time
import traceback
import urllib.parse
from datetime import datetime

HOST = urllib.parse.urlsplit(sys.argv[1]).netloc
COUNT, STEPS, SEED = (int(argument) for argument in sys.argv[2:5])
PAUSE = float(sys.argv[5])
TOGETHER = sys.argv[6] == "together"
DELAY = float(sys.argv[7]) if len(sys.argv) > 7 else 0
TIMEOUT = 120


class Visitor:
    """A visitor whose browser receives the page's events."""

    def __init__(self, seed):
        self.random, self.reading, self.taps = random.Random(seed), random.Random(seed), []
        self.content, self.parts, self.changed = "", {}, threading.Condition()
        self.connection = http.client.HTTPConnection(HOST, timeout=TIMEOUT)
        response = self.send("POST", "/start", {})
        self.cookie = response.headers["Set-Cookie"].split(";")[0]
        threading.Thread(target=self.listen, daemon=True).start()
        self.start = self.date(self.until(lambda page: ">$0.99<" in page))
        self.signed_in = False

    def send(self, method, path, fields=None):
        headers = {"Cookie": self.cookie} if hasattr(self, "cookie") else {}
        body = None
        if fields is not None:
            body, headers["Content-Type"] = urllib.parse.urlencode(fields), "application/x-www-form-urlencoded"
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        response.text = response.read().decode()
        assert response.status in (200, 303), f"{method} {path}: {response.status} {response.text[:200]}"
        return response

    def listen(self):
        """Reads events (HTML, section 9.2) until the connection ends."""
        connection = http.client.HTTPConnection(HOST)
        connection.request("GET", "/events", headers={"Cookie": self.cookie})
        response, name, lines = connection.getresponse(), "", []
        while line := response.readline().decode():
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: "):
                lines.append(line[6:-1])
            elif line == "\n":
                time.sleep(DELAY if name == "stage" else 0)
                with self.changed:
                    self.receive(name, "\n".join(lines))
                    self.changed.notify_all()
                lines = []

    def receive(self, name, text):
        """Replaces the page or a part of the page."""
        if name == "page":
            self.parts = dict(re.findall('<div class="part" id="part-([a-z]+)">\n(.*?)\n</div>\n(?=<div class="part"|<main|</main>)', text, re.S))
        else:
            self.parts[name] = text
        self.content = "".join(self.parts.values())

    def page(self):
        return self.content

    def until(self, condition):
        """Returns the page as soon as the page fulfills a condition."""
        with self.changed:
            if self.changed.wait_for(lambda: condition(self.content), TIMEOUT):
                return self.content
        raise AssertionError(f"the page does not change: {re.sub('<[^>]*>', ' ', self.content)[:1500]}")

    def known(self):
        """Returns the page when the app has read the purchases and the prices, which appear after the screen at a launch."""
        return self.until(lambda page: '<button class="primary" disabled>' not in page)

    def balance(self):
        page = self.until(lambda page: re.search('id="balance">[0-9]', page))
        return int(re.search('id="balance">([0-9]+)<', page).group(1))

    def act(self, **fields):
        self.send("POST", "/act", fields)

    def tap(self, condition, **fields):
        # A condition that holds before the tap does not show the tap's effect, for example because of the notice of an earlier tap.
        assert not condition(self.page()), f"the page fulfills the condition before the tap {fields}"
        began = time.monotonic()
        self.act(**fields)
        page = self.until(condition)
        self.taps.append((time.monotonic() - began) * 1000)
        return page

    def answer(self, title, answer, **fields):
        page = self.until(lambda page: f">{title}</h2>" in page)
        sheet = re.search('name="sheet" value="([0-9]+)"', page).group(1)
        self.act(do="answer", sheet=sheet, answer=answer, **fields)

    def buy(self, product, title, quantity=1):
        self.tap(lambda page: f">Buy {title}?</h2>" in page, do="buy", product=f"com.example.monkeyshop.{product}", quantity=quantity)
        if self.random.random() < 0.2:
            self.answer(f"Buy {title}?", "cancel")
            return self.until(lambda page: 'role="dialog"' not in page)
        self.answer(f"Buy {title}?", "agree")
        if not self.signed_in:
            self.answer("Sign in to the App Store", "sign-in", account="jane@example.com", password="ladder")
            self.signed_in = True
        return self.until(lambda page: "Thank you!" in page)

    def show(self, screen, title):
        """Shows a screen without a notice; a tap on the current screen removes the notice."""
        def is_shown(page):
            return f"<h2>{title}</h2>" in page and 'class="notice"' not in page

        return self.page() if is_shown(self.page()) else self.tap(is_shown, do="show", screen=screen)

    def step(self):
        kind = self.random.choice(["credits", "credits", "banana", "filter", "magazine", "screens", "kill", "time"])
        if kind == "credits":
            self.show("shop", "Credits")
            self.buy("credits5", "5 credits", self.random.randint(1, 3))
        elif kind == "banana":
            self.show("shop", "Credits")
            balance = self.balance()
            if balance > 0:
                self.tap(lambda page: "One banana" in page, do="spend")
                assert self.balance() == balance - 1, f"a banana changes the balance from {balance} to {self.balance()}"
        elif kind == "filter":
            self.show("filters", "Filters")
            if ">Owned<" not in self.known():
                self.buy("filter.sepia", "Sepia filter")
        elif kind == "magazine":
            self.show("magazine", "Magazine")
            if ">Subscribed<" not in self.known():
                self.buy("magazine", "Canopy, the monthly magazine")
        elif kind == "screens":
            for screen, title in [("books", "Books"), ("settings", "Settings")]:
                self.show(screen, title)
        elif kind == "kill":
            self.tap(lambda page: "The app is closed." in page, do="kill")
            self.tap(lambda page: "The app is closed." not in page and "Opening" not in page, do="open")
            self.until(lambda page: "<h2>" in page)
        else:
            before = self.date(self.page())
            self.tap(lambda page: self.date(page) > before, do="advance", days=1)

    def date(self, page):
        return datetime.strptime(re.search("<time>([A-Z][^<]*)</time>", page).group(1), "%B %d, %Y")

    def days(self, text):
        """Replaces a date by the days since the start of the visit, so that visits around midnight do not differ."""
        day = re.search("[A-Z][a-z]+ [0-9]+, [0-9]+", text)
        return text.replace(day.group(), str((datetime.strptime(day.group(), "%B %d, %Y") - self.start).days)) if day else text

    def state(self):
        """Returns the date, the balance and the purchases, which must not depend on the other visitors."""
        self.show("shop", "Credits")
        balance = str(self.balance())
        self.show("settings", "Settings")
        # After a launch, the page shows product IDs until the names have arrived.
        page = self.until(lambda page: "<strong>com." not in page)
        purchases = re.findall('class="purchase">.*?<strong>(.*?)</strong><span>(.*?)</span>', page, re.S)
        return [(self.date(page) - self.start).days, balance, *([title, self.days(text)] for title, text in purchases)]


def visit(seed, results, taps):
    try:
        visitor = Visitor(seed)
        # The steps begin when all visitors have started, so that taps are measured under load.
        started.wait(TIMEOUT)
        for _ in range(STEPS):
            time.sleep(visitor.reading.uniform(0, 2 * PAUSE))
            visitor.step()
        results[seed] = visitor.state()
        taps.extend(visitor.taps)
    except Exception as error:  # The error is the result of the thread.
        started.abort()
        line = traceback.extract_tb(error.__traceback__)[-1]
        results[seed] = f"{type(error).__name__} in line {line.lineno}: {error}"


def share(values, part):
    return round(values[min(len(values) - 1, int(len(values) * part))], 1) if values else None


started = threading.Barrier(COUNT if TOGETHER else 1)
results, taps, began = {}, [], time.monotonic()
threads = [threading.Thread(target=visit, args=(seed, results, taps)) for seed in range(SEED, SEED + COUNT)]
for thread in threads:
    thread.start()
    if not TOGETHER:
        thread.join()
for thread in threads:
    thread.join()
taps.sort()
print(json.dumps({
    "seconds": round(time.monotonic() - began, 1), "taps": len(taps), "median": share(taps, 0.5), "p95": share(taps, 0.95),
    "ends": {str(seed): json.dumps(end) for seed, end in sorted(results.items())},
    "failures": [end for end in results.values() if isinstance(end, str)],
}))

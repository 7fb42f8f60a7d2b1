"""Headless Chromium over its DevTools protocol, through a pipe: nothing but Python's standard library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# Comes true when the page is loaded.
LOADED = """new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))"""

PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find():
    """The path of an installed Chromium; None where there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Chromium:
    """One browser with one page. Use it in a `with` statement."""

    def __init__(self, program, limit=60):
        self.limit = limit
        self.events = []
        self.buffer = b""
        self.number = 0
        self.session = None
        # Chromium binds a socket there, whose path may have 107 bytes: no test's own folder will do.
        self.profile = tempfile.mkdtemp(prefix="gallery-browser-", dir="/tmp")
        commands, self.output = os.pipe()
        self.input, answers = os.pipe()

        def pipes():
            # The protocol's fixed numbers: 3 to read from, 4 to write to.
            low = [os.dup2(commands, 20), os.dup2(answers, 21)]
            os.dup2(low[0], 3)
            os.dup2(low[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--hide-scrollbars",
             "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": self.profile})
        os.close(commands)
        os.close(answers)

    def __enter__(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")
        return self

    def __exit__(self, *_):
        try:
            os.close(self.output)
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    # Messages, each ended by a zero byte.

    def _message(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            bytes_ = os.read(self.input, 1 << 20)
            if not bytes_:
                raise EOFError("the browser has ended")
            self.buffer += bytes_
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """The result of a command. Events that come meanwhile are kept in `events`."""
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.limit
        while True:
            answer = self._message(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method, start):
        """The first event called `method` at or after the offset `start`."""
        deadline = time.monotonic() + self.limit
        while True:
            for event in self.events[start:]:
                if event.get("method") == method:
                    return event["params"]
            self.events.append(self._message(deadline))

    # What a person does.

    def open(self, url):
        """Goes to an address and waits until all of it is loaded."""
        start = len(self.events)
        answer = self.call("Page.navigate", url=url)
        if "errorText" in answer:
            raise RuntimeError(f"{url}: {answer['errorText']}")
        # A move within the page loads nothing.
        if "loaderId" in answer:
            self.wait("Page.loadEventFired", start)
            # That event may have been of a page that was still on its way.
            self.run(LOADED)

    def loading(self, action):
        """Does what leads to another page, and waits until it is loaded."""
        start = len(self.events)
        action()
        self.wait("Page.loadEventFired", start)

    def run(self, expression):
        """The value of a script's expression, promises awaited."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["text"] + ": " + expression)
        return result["result"].get("value")

    def becomes(self, expression, value):
        """Whether the expression has the value within the time limit, whatever page it is asked on."""
        deadline = time.monotonic() + self.limit
        while time.monotonic() < deadline:
            try:
                if self.run(expression) == value:
                    return True
            except RuntimeError:
                pass  # The page it was asked on has gone.
            time.sleep(0.05)
        return False

    def key(self, name, code):
        """Presses a key: its name, such as `Tab`, and its Windows key code."""
        for kind in ["rawKeyDown", "keyUp"]:
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def size(self, width, height, mobile=False):
        """Makes the page so many pixels wide and high."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=mobile)

    def media(self, theme="light", kind=""):
        """Has the page believe in a system that is `light` or `dark`, and in a kind of medium."""
        self.call(
            "Emulation.setEmulatedMedia", media=kind,
            features=[{"name": "prefers-color-scheme", "value": theme}])

    def screenshot(self, path, whole=True):
        """Writes the page as a PNG: all of it, or what is seen without scrolling."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def click(self, x, y):
        """Clicks at a point of the page."""
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

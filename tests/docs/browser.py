# tests/docs/browser.py -- drives a headless Chromium through its pipe, with the standard library alone.
# SPDX-License-Identifier: BSD-3-Clause
"""Chromium reads messages of the DevTools protocol from file 3 and writes them to file 4, as JSON, each
with a zero byte at its end.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find_chromium():
    return next((path for name in ("chromium", "chromium-browser", "google-chrome")
                 if (path := shutil.which(name))), None)


class Browser:
    """One tab; use it in a `with`."""

    def __init__(self, program, limit_s=60):
        self.limit_s, self.next_id, self.events, self.rest = limit_s, 0, [], b""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_end, self.to = os.pipe()
        self.back, write_end = os.pipe()
        script = f'exec "$@" 3<&{read_end} 4>&{write_end}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "chromium", program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(read_end, write_end), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)  # ends it
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.back)
        self.folder.cleanup()

    def receive(self, deadline):
        while b"\0" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise TimeoutError("Chromium does not answer")
            some = os.read(self.back, 1 << 20)
            if not some:
                raise ConnectionError("Chromium has ended")
            self.rest += some
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.limit_s
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def set_view(self, width, scheme, height=844):
        """A phone or a desk, `light` or `dark`."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address):
        self.events.clear()
        self.call("Page.navigate", url=address)
        deadline = time.monotonic() + self.limit_s
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive(deadline))

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:500])
        return answer["result"].get("value")

    def failures(self):
        """Exceptions of scripts since the page was opened."""
        return [e["params"]["exceptionDetails"].get("text", "exception") for e in self.events
                if e.get("method") == "Runtime.exceptionThrown"]

    def screenshot(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

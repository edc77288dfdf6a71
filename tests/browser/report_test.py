#!/usr/bin/env python3
"""Pages of hsvm report in a real browser: chromium without a screen, driven by selenium. HSVM_PROGRAM names the program.

Exit code 77: skipped, because the browser or its driver is not there."""
import base64
import csv
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import large_models  # noqa: E402

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: python3-selenium is not installed (tools/bootstrap browser)")
    sys.exit(77)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    print("skipped: chromium and chromium-driver are not installed (tools/bootstrap browser)")
    sys.exit(77)

PROGRAM = os.environ["HSVM_PROGRAM"]
HOSTILE = "</script><script>alert(1)</script>"
QUOTED = "it's \"quoted\" & <b>bold</b>"
SECTIONS = ["answer", "features", "tuning", "held-out", "new-samples", "stability", "correlations", "paths", "solve"]


def run(*words):
    subprocess.run([PROGRAM, *words], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)


def write_data(name, n_samples, n_features, classes, seed):
    """Classes that differ in a few features each, with names that are no friends of web pages."""
    rng = random.Random(seed)
    names = [HOSTILE, QUOTED] + ["gene_%d" % j for j in range(2, n_features)]
    with open(os.path.join(FOLDER, name), "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["label"] + names)
        for i in range(n_samples):
            k = i % len(classes)
            x = [rng.gauss(0, 1) for _ in range(n_features)]
            for j in range(3):
                x[3 * k + j] += 1.3
            for j in range(20, 24):  # these go with the first features
                x[j] = x[j - 20] + 0.3 * x[j]
            writer.writerow([classes[k]] + ["%.6g" % value for value in x])


def setUpModule():
    global FOLDER, BROWSER
    FOLDER = tempfile.mkdtemp(prefix="hsvm-browser-")
    two, four = ["normal", HOSTILE], ["a", "b", QUOTED, HOSTILE]
    write_data("two.csv", 90, 2000, two, 1)
    write_data("two-test.csv", 40, 2000, two, 2)
    write_data("four.csv", 120, 200, four, 3)
    write_data("four-test.csv", 60, 200, four, 4)
    for name in ("two", "four"):
        run("cv", name + ".csv", "-m", name + ".json", "--stability", "20", "--folds", "5", "--quiet")
        run("report", name + ".json", "-o", name + ".html", "--data", name + "-test.csv", "--date", "2026-01-02", "--quiet")
    run("report", "two.json", "two.json", "--one-se", "-o", "both.html", "--quiet")
    options = Options()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1000,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    BROWSER = webdriver.Chrome(service=Service(DRIVER), options=options)
    BROWSER.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": FOLDER})


def tearDownModule():
    BROWSER.quit()
    shutil.rmtree(FOLDER)


def open_page(name, width=1000, dark=False, drawn=True):
    BROWSER.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    BROWSER.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    BROWSER.get("file://" + os.path.join(FOLDER, name))
    if drawn:  # charts are drawn as they come near the screen
        script("redrawAll()")


def script(text, *arguments):
    return BROWSER.execute_script(text, *arguments)


def find(selector):
    return BROWSER.find_element(By.CSS_SELECTOR, selector)


def model_of(name):
    with open(os.path.join(FOLDER, name)) as text:
        return json.load(text)


def feature_names(model):
    return [model["feature_names"][j] for j in model["coef"]["feature"]]


def move_to(canvas, x, y):
    """The pointer to a place within a canvas, as a hand would move it."""
    script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    box = script("const b = arguments[0].getBoundingClientRect(); return [b.left, b.top]", canvas)
    for shift in (3, 0):
        BROWSER.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": box[0] + x + shift, "y": box[1] + y})
    time.sleep(0.1)


class Quiet(unittest.TestCase):
    """After every test: nothing on the console, nothing over the network, no script of the data's has run."""

    def setUp(self):
        BROWSER.get_log("browser")
        BROWSER.get_log("performance")

    def tearDown(self):
        self.assertEqual(BROWSER.get_log("browser"), [])
        for entry in BROWSER.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith(("file://" + FOLDER, "data:", "blob:")), url)
        self.assertEqual(script("return document.querySelectorAll('script').length"), 3)


class Charts(Quiet):
    def test_every_chart_has_pixels_and_a_table(self):
        for page, least in (("two.html", 12), ("four.html", 12), ("both.html", 1)):
            open_page(page)
            charts = script("""
              return Array.from(document.querySelectorAll('figure.chart'), (figure) => {
                const canvas = figure.querySelector('canvas');
                const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                const colours = new Set();
                let drawn = 0;
                for (let k = 0; k < pixels.length; k += 4) {
                  if (pixels[k + 3] === 0) continue;
                  ++drawn;
                  colours.add(pixels[k] >> 4 << 8 | pixels[k + 1] >> 4 << 4 | pixels[k + 2] >> 4);
                }
                return [figure.dataset.chart, drawn / (pixels.length / 4), colours.size, canvas.getAttribute('aria-label'),
                        figure.closest('section').querySelectorAll('table').length];
              });""")
            self.assertGreaterEqual(len(charts), least, page)
            for kind, share, colours, label, tables in charts:
                self.assertGreater(share, 0.01, (page, kind))
                self.assertGreater(colours, 3, (page, kind))
                self.assertTrue(label, kind)
                self.assertGreater(tables, 0, kind)

    def test_charts_are_drawn_as_they_are_seen(self):
        open_page("two.html", drawn=False)
        find("[data-chart=gaps]").location_once_scrolled_into_view  # noqa: B018
        for _ in range(30):
            if script("return document.querySelector('[data-chart=gaps]').dataset.drawn === 'yes'"):
                break
            time.sleep(0.1)
        self.assertTrue(script("return charts.has(document.querySelector('[data-chart=gaps] canvas'))"))

    def test_pointing_at_a_line_names_its_feature(self):
        open_page("two.html")
        canvas = find("[data-chart=paths] canvas")
        data = script("return kData.paths")
        model = model_of("two.json")
        strongest = max(data["lines"], key=lambda line: max(abs(value) for value in line[3]))
        place = script("""
          const chart = charts.get(arguments[0]);
          const set = chart.data.datasets.findIndex((one) => one.label === arguments[1]);
          const k = chart.data.datasets[set].data.reduce((best, point, k, all) => Math.abs(point.y) > Math.abs(all[best].y) ? k : best, 0);
          const point = chart.getDatasetMeta(set).data[k];
          return [point.x, point.y, k];""", canvas, data["names"][strongest[0]])
        move_to(canvas, place[0], place[1])
        title, body = script("const t = charts.get(arguments[0]).tooltip; return [t.title, t.body.map((b) => b.lines[0])]", canvas)
        self.assertEqual(title, [data["names"][strongest[0]]])
        self.assertIn(title[0], model["feature_names"])
        lambda1 = model["evidence"]["path"]["lambda1"][place[2]]
        self.assertIn("lambda1 = %s" % script("return number(arguments[0])", lambda1), body[0])

    def test_search_axis_and_class_change_the_paths(self):
        open_page("four.html")
        figure = "[data-chart=paths] "
        name = script("return kData.paths.names[2]")
        find(figure + "[data-control=find]").send_keys(name)
        wide = script("""return charts.get(document.querySelector('[data-chart=paths] canvas')).data.datasets
                         .filter((set) => set.borderWidth === 3).map((set) => set.label)""")
        self.assertTrue(wide)
        for label in wide:
            self.assertIn(name.lower(), label.lower())
        script("const s = document.querySelector(arguments[0]); s.value = 'linear'; s.dispatchEvent(new Event('change'))",
               figure + "[data-control=axis]")
        chart = "charts.get(document.querySelector('[data-chart=paths] canvas'))"
        self.assertEqual(script("return %s.options.scales.x.type" % chart), "linear")
        first = script("return %s.data.datasets.map((set) => set.data.map((point) => point.y))" % chart)
        script("const s = document.querySelector(arguments[0]); s.value = '3'; s.dispatchEvent(new Event('change'))",
               figure + "[data-control=class]")
        self.assertNotEqual(first, script("return %s.data.datasets.map((set) => set.data.map((point) => point.y))" % chart))

    def test_maps_say_what_is_under_the_pointer(self):
        open_page("two.html")
        canvas = find("[data-chart=correlations] canvas")
        data = script("return kData.correlations")
        size = script("return [arguments[0].clientWidth, arguments[0].clientHeight]", canvas)
        move_to(canvas, 2, 2)
        n = len(data["names"])
        cell = (size[1] - 24) / n
        # The first column of the second row: further right by what the names take, which the page itself must know.
        for x in range(0, size[0], 4):
            if script("return arguments[0].closest('figure').describePoint(arguments[1], arguments[2])", canvas, x, 20 + 1.5 * cell):
                break
        move_to(canvas, x + cell / 2, 20 + 1.5 * cell)
        said = find("[data-chart=correlations] .pointed").text
        self.assertTrue(said.startswith(data["names"][1] + " and " + data["names"][0]), said)
        self.assertIn(script("return number(arguments[0])", data["values"][0]), said)


class Tables(Quiet):
    def column(self, k):
        return script("""return Array.from(document.querySelectorAll('#table-features tbody tr'))
                         .filter((row) => !row.hidden).map((row) => { const c = row.cells[arguments[0]]; const d = c.querySelector('data');
                         return d ? Number(d.value) : c.textContent; })""", k)

    def test_numbers_are_those_of_the_model(self):
        for page, file in (("two.html", "two.json"), ("four.html", "four.json")):
            open_page(page)
            model = model_of(file)
            outputs = len(model["intercept"])
            expected = dict(zip(feature_names(model), model["coef"]["value"]))
            shown = dict(zip(self.column(0), zip(*[self.column(1 + k) for k in range(outputs)])))
            self.assertEqual(set(shown), set(expected))
            for name, row in expected.items():
                self.assertEqual(list(shown[name]), row)  # bit for bit
            grid = [point for path in script("return kData.tuning.paths") for point in zip(path["lambda1"], path["mean"], path["nonzeros"])]
            self.assertEqual(grid, [(p["lambda1"], p["scores"]["accuracy"]["mean"], p["nonzeros"]) for p in model["tuning"]["grid"]])
            deviation = dict(zip(model["evidence"]["feature"], model["evidence"]["deviation"]))
            effects = dict(zip(self.column(0), self.column(outputs + (1 if outputs == 1 else 2))))
            for j, row in zip(model["coef"]["feature"], model["coef"]["value"]):
                strongest = max(row, key=abs)
                self.assertEqual(effects[model["feature_names"][j]], strongest * deviation[j])

    def test_confusion_is_that_of_the_scores(self):
        open_page("two.html")
        held_out = model_of("two.json")["tuning"]["out_of_fold"]
        counts = [[0, 0], [0, 0]]
        for truth, score in zip(held_out["truth"], held_out["best"]):
            counts[truth][1 if score > 0 else 0] += 1
        shown = script("""return Array.from(document.querySelectorAll('#table-held-out-confusion tbody tr'),
                          (row) => Array.from(row.querySelectorAll('data'), (d) => Number(d.value)))""")
        self.assertEqual(shown, counts)
        wrong = script("""return Array.from(document.querySelectorAll('#table-held-out-wrong tbody tr'), (row) => row.cells[0].textContent)""")
        self.assertEqual(wrong, [str(i + 1) for i, truth, score in zip(held_out.get("sample", range(len(held_out["truth"]))), held_out["truth"], held_out["best"])
                                 if (score > 0) != (truth == 1)])

    def test_sorting_by_mouse_and_keyboard(self):
        open_page("two.html")
        heading = find("#table-features thead th:nth-child(2) button")
        heading.click()
        falling = self.column(1)
        self.assertEqual(falling, sorted(falling, reverse=True))
        heading.send_keys(Keys.ENTER)
        rising = self.column(1)
        self.assertEqual(rising, sorted(rising))
        self.assertEqual(find("#table-features thead th:nth-child(2)").get_attribute("aria-sort"), "ascending")

    def test_filtering(self):
        open_page("two.html")
        names = self.column(0)
        box = find(".controls[data-table=features] input")
        box.send_keys("SCRIPT")
        self.assertEqual(self.column(0), [HOSTILE])
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(Keys.DELETE)
        self.assertEqual(self.column(0), names)

    def test_csv_is_the_model(self):
        open_page("four.html")
        find(".controls[data-table=features] input").send_keys("nothing at all")  # what is hidden is downloaded, too
        find(".controls[data-table=features] button").click()
        file = os.path.join(FOLDER, "features.csv")
        for _ in range(50):
            if os.path.exists(file):
                break
            time.sleep(0.1)
        model = model_of("four.json")
        with open(file, newline="") as text:
            rows = list(csv.reader(text))
        self.assertEqual(rows[0][:5], ["feature"] + ["coefficient, " + name for name in model["classes"]])
        self.assertEqual({row[0]: [float(value) for value in row[1:5]] for row in rows[1:]},
                         dict(zip(feature_names(model), model["coef"]["value"])))

    def test_the_whole_grid_opens(self):
        open_page("two.html")
        script("document.querySelector('details[data-rows=grid]').open = true")
        time.sleep(0.2)
        shown = script("return Array.from(document.querySelectorAll('#table-whole-grid tbody tr'), (row) => Number(row.cells[4].firstChild.value))")
        self.assertEqual(shown, [p["scores"]["accuracy"]["mean"] for p in model_of("two.json")["tuning"]["grid"]])


class Page(Quiet):
    def test_hostile_names_are_text(self):
        open_page("two.html")
        self.assertIn(HOSTILE, find("#answer .answer").text)
        self.assertIn(HOSTILE, find("#table-features").text)
        self.assertIn(QUOTED, find("#table-features").text)
        self.assertIn(HOSTILE, script("return kData.paths.names"))
        open_page("four.html")
        self.assertIn(QUOTED, find("#answer .answer").text)
        self.assertEqual(script("return document.querySelectorAll('main b').length"), script(
            "return document.querySelectorAll('figcaption b').length"))  # ours alone

    def test_no_scrolling_sideways_on_a_phone(self):
        for page in ("two.html", "four.html", "both.html"):
            open_page(page, width=360)
            self.assertLessEqual(script("return document.documentElement.scrollWidth"), 360, page)

    def test_light_and_dark(self):
        grounds = []
        for dark in (False, True):
            open_page("two.html", dark=dark)
            ground, text = script("const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]")
            light = [sum(int(part) for part in colour[4:-1].split(",")) for colour in (ground, text)]
            self.assertGreater(abs(light[0] - light[1]), 400)
            grounds.append(light[0])
        self.assertGreater(grounds[0], grounds[1] + 400)

    def test_print_has_all_sections(self):
        open_page("two.html")
        file = os.path.join(FOLDER, "page.pdf")
        with open(file, "wb") as out:
            out.write(base64.b64decode(BROWSER.print_page()))
        self.assertEqual(script("return Array.from(document.querySelectorAll('main section'), (section) => section.id)"), SECTIONS)
        if not shutil.which("pdftotext"):
            self.skipTest("poppler-utils is not installed: the text of the PDF is not looked at")
        text = subprocess.run(["pdftotext", "-layout", file, "-"], check=True, capture_output=True, text=True).stdout
        for title in script("return Array.from(document.querySelectorAll('h2'), (h) => h.textContent)"):
            self.assertIn(title, text)

    def test_comparison(self):
        open_page("both.html")
        self.assertEqual(script("return Array.from(document.querySelectorAll('main section'), (section) => section.id)"),
                         ["scores", "shared", "overlap"])

    def test_sizes(self):
        self.assertLess(os.path.getsize(os.path.join(FOLDER, "two.html")), 700_000)
        large_models.write_tuned(os.path.join(FOLDER, "large.json"))
        large_models.write_path(os.path.join(FOLDER, "large-path.json"))
        for name in ("large", "large-path"):
            run("report", name + ".json", "-o", name + ".html", "--quiet")
            self.assertLess(os.path.getsize(os.path.join(FOLDER, name + ".html")), 5_000_000, name)
            seconds = []
            for _ in range(3):  # the machine may be busy with other things
                open_page(name + ".html", drawn=False)
                seconds.append(script("const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd / 1000"))
                if seconds[-1] < 2.0:
                    break
            self.assertLess(min(seconds), 2.0, name)
            print("%s: %d kB, opened in %.2f s" % (name, os.path.getsize(os.path.join(FOLDER, name + ".html")) // 1000, min(seconds)))


if __name__ == "__main__":
    unittest.main(verbosity=1)

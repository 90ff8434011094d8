"""Two campaigns of Pearmut, judged over HTTP: one by scores with checks, one by sliders.

Give the folder of Pearmut's program.  Writes ``pearmut/annotations.json`` as downloaded, the logs
of both campaigns, and ``pearmut/dashboard.json``: what the dashboard says of systems and of raters.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PORT = 8719
PROGRAM = Path(sys.argv[1]) / "pearmut"
#: How good the systems are, which nobody but this script knows.
GOOD = {"Elm": 75, "Oak": 75, "Fir": 50}
CAMPAIGNS = ("scores_eng-deu", "sliders_eng-deu")
RNG = random.Random(4)


def document(name, n_segments, **more):
    return [
        {
            "src": f"Sentence {place} of {name}.",
            "tgt": {system: f"{system}'s output {place} of {name}" for system in GOOD},
            "item_id": f"{name}_###_{place}",
            **more,
        }
        for place in range(n_segments)
    ]


def write_campaigns():
    rules = {"Elm": {"score": [0, 20]}, "Oak": {"score_greaterthan": "Elm"}}
    easy = {"Elm": {"score": [50, 80], "warning": "Try again."}}
    form = [{"text": "How many languages do you speak?", "form": "number"}]
    scores = {
        "campaign_id": CAMPAIGNS[0],
        "info": {
            "assignment": "dynamic",
            "protocol": "ESA",
            "users": 4,
            "dynamic_coldstart": 2,
            "dynamic_models": 2,
            "docs_per_user": 7,
            "data_random_prob": 0.4,
        },
        "data": [document(f"news_###_doc{n}", 1 + n % 3) for n in range(30)],
        "data_welcome": [form, document("welcome", 1, skippable=True, validation=easy)],
        "data_random": [document(f"check{n}", 1, validation=rules) for n in range(3)],
    }
    names = ("Fluency", "Adequacy")
    sliders = {
        "campaign_id": CAMPAIGNS[1],
        "info": {
            "assignment": "task-based",
            "protocol": "DA",
            "sliders": [{"name": name, "min": 0, "max": 6, "step": 1} for name in names],
        },
        "data": [[document(f"talk{n}", 2) for n in range(5)] for _ in range(3)],
    }
    for campaign in (scores, sliders):
        Path(f"{campaign['campaign_id']}.json").write_text(json.dumps(campaign))


def post(path, **content):
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}{path}",
        data=json.dumps(content).encode(),
        headers={"Content-Type": "application/json"},
    )
    return json.loads(urllib.request.urlopen(request).read())


def download(path):
    return urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}").read()


def answer_about(system, is_careful, campaign):
    if campaign == CAMPAIGNS[1]:
        values = {name: RNG.randint(0, 3) + GOOD[system] // 25 for name in ("Fluency", "Adequacy")}
        return {"score": None, "sliders": values, "error_spans": [], "textfield": None}
    score = round(RNG.gauss(GOOD[system], 10 if is_careful else 25))
    span = {"start_i": 0, "end_i": 3, "severity": "minor", "category": None}
    return {"score": max(0, min(100, score)), "error_spans": [span], "textfield": None}


def judge(campaign, rater, n_screens, is_careful=True):
    for step in range(n_screens):
        screen = post("/get-next-item", campaign_id=campaign, user_id=rater)
        if "payload" not in screen:
            return
        items = screen["payload"]
        payload = {"item": items, "actions": [{"time": 40.0 * step, "action": "load"}]}
        payload["actions"].append({"time": 40.0 * step + 30, "action": "submit"})
        if screen["status"] == "form":
            payload["annotation"] = [3]
        else:
            payload["annotation"] = [
                {system: answer_about(system, is_careful, campaign) for system in item["tgt"]}
                for item in items
            ]
            # What the page in the browser finds of the rules.
            found = [is_careful for item in items if item.get("validation")]
            payload |= {"validations": found} if found else {}
        number = screen["info"]["item_i"]
        post("/log-response", campaign_id=campaign, user_id=rater, item_i=number, payload=payload)


def main():
    write_campaigns()
    os.environ["PEARMUT_ROOT"] = "."
    for campaign in CAMPAIGNS:
        subprocess.run([PROGRAM, "add", f"{campaign}.json"], check=True)
    server = subprocess.Popen([PROGRAM, "run", "--port", str(PORT)])
    time.sleep(8)
    try:
        tokens = {
            name: json.loads(Path(f"data/campaigns/{name}.json").read_text())["token"]
            for name in CAMPAIGNS
        }
        raters = {
            name: list(json.loads(Path(f"data/progress/{name}.json").read_text()))
            for name in CAMPAIGNS
        }
        first = raters[CAMPAIGNS[0]][0]
        judge(CAMPAIGNS[0], first, 5)
        token = tokens[CAMPAIGNS[0]]
        post("/reset-campaign", campaign_id=CAMPAIGNS[0], user_id=first, token=token)
        for campaign in CAMPAIGNS:
            for place, rater in enumerate(raters[campaign]):
                judge(campaign, rater, 14, is_careful=place != 2)
        # A rater goes back to the first screen, and answers otherwise.
        log = Path(f"data/annotations/{CAMPAIGNS[1]}.jsonl")
        again = json.loads(log.read_text().splitlines()[0])
        for answers in again["annotation"]:
            for own in answers.values():
                own["sliders"] = {"Fluency": 6, "Adequacy": 0}
        rater = again.pop("user_id")
        number = again.pop("item_i")
        post(
            "/log-response",
            campaign_id=CAMPAIGNS[1], user_id=rater, item_i=number, payload=again,
        )  # fmt: skip
        folder = Path("pearmut")
        folder.mkdir()
        asked = "&".join(f"campaign_id={name}" for name in CAMPAIGNS)
        (folder / "annotations.json").write_bytes(download(f"/download-annotations?{asked}"))
        dashboard = {}
        for name, token in tokens.items():
            shutil.copy(f"data/annotations/{name}.jsonl", folder)
            about = post("/dashboard-data", campaign_id=name, token=token)["data"]
            dashboard[name] = {
                "systems": post("/dashboard-results", campaign_id=name, token=token),
                "checks": {rater: own["validations"] for rater, own in about.items()},
            }
        (folder / "dashboard.json").write_text(json.dumps(dashboard))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()

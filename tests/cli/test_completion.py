"""What a shell completes, by the script that `toolkit completion` prints."""

import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "import sys; from toolkit.cli.main import main; sys.exit(main())"]
#: Let bash complete the last of some words by the function that the script names, as it does at the Tab key.
ASKED = """
eval "$SCRIPT"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
function=$(complete -p toolkit | sed -n 's/.* -F \\([^ ]*\\) .*/\\1/p')
"$function" toolkit "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(shell):
    return subprocess.run([*PROGRAM, "completion", shell], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def bash():
    return script("bash")


def completed(bash, folder, *words):
    done = subprocess.run(
        ["bash", "--norc", "-c", ASKED, "bash", *words],
        env={"SCRIPT": bash, "PATH": "/usr/bin:/bin"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return {word.strip() for word in done.stdout.split("\n") if word.strip()}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["toolkit", "se"], {"segment", "serve"}),
        (["toolkit", "compl"], {"completion"}),
        (["toolkit", "segment", "--fo"], {"--format"}),
        (["toolkit", "segment", "--format", ""], {"table", "json", "csv"}),
        (["toolkit", "run", "--ask", "cat"], {"categorize", "categorize_content"}),
        (["toolkit", "enrich", "--include", "te"], {"technologies"}),
        (["toolkit", "run", "--store", "pl"], {"plan.db"}),
        (["toolkit", "run", "si"], {"sites.csv"}),
        (["toolkit", "completion", "z"], {"zsh"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bash_completes(bash, tmp_path, words, found):
    for name in ("plan.db", "sites.csv"):
        (tmp_path / name).touch()
    assert completed(bash, tmp_path, *words) == found


@pytest.mark.parametrize(("shell", "begins"), [("zsh", "#compdef toolkit"), ("fish", "")])
def test_other_shells_get_every_command_and_its_options(shell, begins):
    printed = script(shell)
    assert begins in printed.split("\n")[0]
    for name in ("segment", "categorize", "enrich", "run", "report", "filters", "validate", "app", "lab", "serve"):
        assert name in printed
    for option in ("ask", "store", "budget", "legacy", "categorize_content"):
        assert option in printed


def test_an_unknown_shell_is_refused():
    done = subprocess.run([*PROGRAM, "completion", "csh"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "zsh" in done.stderr

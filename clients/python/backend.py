"""Builds the wheel from purser.py with the standard library alone, so that no other package has to be there.

pip calls ``build_wheel`` (PEP 517); ``python3 backend.py FOLDER`` does without pip. The bytes are the same each time.
In the wheel, purser.py is the package ``purser``, because a mark for type checkers can only stand beside a package.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).parent

METADATA = """\
Metadata-Version: 2.1
Name: purser
Version: {version}
Summary: Ask a Purser server for differentially private statistics
License: Apache-2.0
Requires-Python: >=3.10
Description-Content-Type: text/markdown

{readme}"""

WHEEL = "Wheel-Version: 1.0\nGenerator: purser\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into the folder and returns its name."""
    code = (HERE / "purser.py").read_text(encoding="utf-8")
    version = code.split('__version__ = "')[1].split('"')[0]
    info = f"purser-{version}.dist-info"
    files = {
        "purser/__init__.py": code,
        "purser/py.typed": "",
        f"{info}/METADATA": METADATA.format(version=version, readme=(HERE / "README.md").read_text(encoding="utf-8")),
        f"{info}/WHEEL": WHEEL,
    }
    files[f"{info}/RECORD"] = "".join(f"{name},{digest(text)}\n" for name, text in files.items()) + f"{info}/RECORD,,\n"
    wheel = f"purser-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w") as archive:
        for name, text in files.items():
            file = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            file.external_attr = 0o644 << 16
            archive.writestr(file, text)
    return wheel


def digest(text):
    sha256 = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
    return f"sha256={sha256},{len(text.encode())}"


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))

"""What a file proposes, and that nothing is registered before it is confirmed. No service is needed."""

import json
import pathlib
import tempfile
import unittest

import purser

SAMPLE = pathlib.Path(__file__).parents[3] / "src/test/resources/proposal"
nowhere = purser.connect("http://127.0.0.1:9", "key", attempts=1)


def typed(value):
    """A member as the console's form has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "\n".join(value) if isinstance(value, list) else str(value)


def proposed(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "file.csv")
        path.write_text(text)
        return purser.propose(path)


class ProposalTests(unittest.TestCase):
    def test_the_console_proposes_the_same(self):
        proposal = purser.propose(SAMPLE / "people.csv")
        found = [
            {**{name: typed(value) for name, value in each.items()},
             "read": list(proposal.unconfirmed.get(each["name"], ()))}
            for each in proposal.columns
        ]
        self.assertEqual(json.loads((SAMPLE / "columns.json").read_text()), found)
        self.assertEqual(("note", "all-missing"), proposal.left_out)

    def test_a_registration_with_anything_unconfirmed_is_refused_before_it_is_sent(self):
        with self.assertRaisesRegex(ValueError, "missing of age; lower, upper, resolution of weight-kg"):
            nowhere.register("people", budget="1", max_rows=10, file=SAMPLE / "people.csv")
        with self.assertRaisesRegex(ValueError, "categories of zip"):
            nowhere.register("people", purser.propose(SAMPLE / "people.csv"), budget="1", max_rows=10)
        with self.assertRaises(TypeError):
            nowhere.register("people", budget="1", max_rows=10)

    def test_what_is_confirmed_or_replaced_is_registered(self):
        proposal = proposed("height,sex,code\n1.5,F,7\n2,M,9\n")
        self.assertEqual(
            {"height": ("lower", "upper", "resolution"), "sex": ("categories",), "code": ("lower", "upper")},
            proposal.unconfirmed,
        )
        half = proposal.replace("height", lower=0, upper=3)
        self.assertEqual(("resolution",), half.unconfirmed["height"])
        done = half.confirm("height", "sex").without("code")
        self.assertEqual([
            {"name": "height", "type": "decimal", "lower": 0, "upper": 3, "resolution": 0.1},
            {"name": "sex", "type": "category", "categories": ["F", "M"]},
        ], done.confirmed())
        with self.assertRaises(purser.ReplyLost):
            nowhere.register("people", done, budget="1", max_rows=10)
        with self.assertRaisesRegex(ValueError, "no column weight"):
            done.confirm("weight")

    def test_columns_of_many_texts_are_left_out(self):
        proposal = proposed("id,one\n" + "".join(f"p{i},1\n" for i in range(300)))
        self.assertEqual(("id",), proposal.left_out)
        self.assertEqual([{"name": "one", "type": "integer", "lower": 1, "upper": 2}],
                         proposal.confirm("one").confirmed())


if __name__ == "__main__":
    unittest.main()

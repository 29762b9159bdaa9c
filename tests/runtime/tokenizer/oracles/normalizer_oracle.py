"""What the normalizers of Hugging Face's tokenizers make of texts.

usage: normalizer_oracle.py OUTPUT SEED

OUTPUT is the number of normalizers and their names; then the number of texts; for each the text and
what each normalizer makes of it.
"""
import random
import sys

import oracle_texts
import step_texts
from oracle_texts import number, text
from tokenizers import Regex, normalizers


def bert(*options):
    return normalizers.BertNormalizer(*options)


CASES = {
    "nfc": normalizers.NFC(),
    "nfd": normalizers.NFD(),
    "nfkc": normalizers.NFKC(),
    "nfkd": normalizers.NFKD(),
    "lowercase": normalizers.Lowercase(),
    "strip": normalizers.Strip(),
    "strip left": normalizers.Strip(True, False),
    "strip right": normalizers.Strip(False, True),
    "strip nothing": normalizers.Strip(False, False),
    "strip accents": normalizers.StripAccents(),
    "nmt": normalizers.Nmt(),
    "byte level": normalizers.ByteLevel(),
    "prepend": normalizers.Prepend("▁x"),
    "replace text": normalizers.Replace("a", "<é>"),
    "replace dot": normalizers.Replace(".", ""),
    "replace nothing": normalizers.Replace("", "_"),
    "replace spaces": normalizers.Replace(Regex(r"\s+"), " "),
    "replace empty": normalizers.Replace(Regex("a*"), "-"),
    "replace ends": normalizers.Replace(Regex(r"^|$"), "|"),
    "bert": bert(),
    "bert clean": bert(True, False, False, False),
    "bert chinese": bert(False, True, False, False),
    "bert accents": bert(False, False, True, False),
    "bert lowercase": bert(False, False, False, True),
    "bert cased": bert(True, True, None, False),
    "bert lowercase accents": bert(True, True, None, True),
    "albert": normalizers.Sequence([
        normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
        normalizers.StripAccents(), normalizers.Lowercase(),
        normalizers.Replace(Regex(" {2,}"), " "),
    ]),
    "llama": normalizers.Sequence([
        normalizers.Prepend("▁"), normalizers.Replace(" ", "▁"),
    ]),
    "stripped": normalizers.Sequence([
        normalizers.Nmt(), normalizers.NFKC(), normalizers.Strip(), normalizers.ByteLevel(),
    ]),
}


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    with open(output, "wb") as out:
        out.write(oracle_texts.texts(CASES))
        texts = step_texts.texts(rng, 1500)
        out.write(number(len(texts)))
        for each in texts:
            out.write(text(each))
            for normalizer in CASES.values():
                out.write(text(normalizer.normalize_str(each)))


if __name__ == "__main__":
    main()

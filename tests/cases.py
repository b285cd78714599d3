"""Many cases of one fact in one test, which lists those that it does not hold of."""

import functools
import inspect

import pytest


def offenders(check, cases):
    """Return the cases (tuples of its arguments) that a check fails for, each with what it says."""
    found = []
    for case in cases:
        try:
            check(*case)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - each case is told of, whatever it meets
            name = ", ".join(getattr(part, "__name__", None) or f"{part!r:.120}" for part in case)
            said = f"{type(error).__name__}: {error}".strip()
            found.append(f"{name}\n    {said.replace(chr(10), chr(10) + '    ')}")
    return found


def every(names, cases):
    """Look at every case in one test: like ``pytest.mark.parametrize``, for cases that are quick and share nothing.

    The fixtures of the test are those of all its cases.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [tuple(case) if len(names) > 1 else (case,) for case in cases]
    assert cases, "a fact about nothing"

    def joining(test):
        signature = inspect.signature(test)
        rest = [parameter for name, parameter in signature.parameters.items() if name not in names]

        @functools.wraps(test)
        def joined(*given, **fixtures):
            def check(*case):
                test(*given, **dict(zip(names, case, strict=True)), **fixtures)

            found = offenders(check, cases)
            if found:
                pytest.fail(f"{len(found)} of {len(cases)} cases:\n" + "\n".join(found[:40]), pytrace=False)

        joined.__signature__ = signature.replace(parameters=rest)
        return joined

    return joining

package dev.purser.accounting;

import java.util.List;
import java.util.Optional;

/** The hand-written list of all accountants that a dataset can be registered with, for auditors. */
public final class Accountants {
    public static final List<Accountant> ALL =
            List.of(new PureAccountant(), new ApproximateAccountant(), new ConcentratedAccountant());

    private Accountants() {}

    public static Optional<Accountant> named(String name) {
        return ALL.stream().filter(accountant -> accountant.name().equals(name)).findFirst();
    }
}

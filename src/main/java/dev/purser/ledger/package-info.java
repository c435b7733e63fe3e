/** Accounts, charges, reservations and answers: durable, append-only, exact. */
@MayUse({"digest", "privacy", "accounting", "store", "problem"})
@NullMarked
package dev.purser.ledger;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

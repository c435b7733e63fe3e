/** Accounts, charges, reservations and answers: durable, append-only, exact. */
@MayUse({"privacy", "accounting", "store", "problem"})
@NullMarked
package dev.purser.ledger;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

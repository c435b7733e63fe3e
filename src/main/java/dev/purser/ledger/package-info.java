/** The durable, append-only, exact ledger: accounts, charges, reservations and answers. */
@MayUse({"digest", "privacy", "accounting", "journal", "store", "problem"})
@NullMarked
package dev.purser.ledger;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

/** The durable, append-only, exact ledger: accounts, charges, reservations and answers. */
@MayUse({"digest", "privacy", "accounting", "store", "problem"})
@NullMarked
package dev.purser.ledger;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

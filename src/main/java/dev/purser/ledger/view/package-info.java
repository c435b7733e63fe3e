/** The ledger as lists and receipts show it. Nothing here decides. */
@MayUse({"ledger", "accounting", "journal", "privacy"})
@NullMarked
package dev.purser.ledger.view;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

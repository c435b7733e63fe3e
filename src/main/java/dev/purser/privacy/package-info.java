/** The vocabulary of differential privacy: exact amounts, events, neighbouring relations, units, grids. Plain Java. */
@MayUse({})
@NullMarked
package dev.purser.privacy;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

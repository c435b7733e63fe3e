/**
 * What questions would cost and how near their answers would come, from public facts and the books alone. Nothing here can
 * reach an engine or spend: {@code ModularityTests} says so.
 */
@NullMarked
package dev.purser.query.quote;

import org.jspecify.annotations.NullMarked;

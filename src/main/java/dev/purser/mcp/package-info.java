/** Tools for agents: the same questions under the same budgets, over the Model Context Protocol. */
@MayUse({"query", "synopsis", "dataset", "access", "http", "json", "problem"})
@NullMarked
package dev.purser.mcp;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

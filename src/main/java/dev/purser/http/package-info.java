/**
 * How a request reaches its handler, and how lists, tables and events are sent. The body is admitted. The handler's
 * arguments are made of the request, and its signature names all of them.
 */
@MayUse({"admission", "journal", "json", "openapi", "problem", "store"})
@NullMarked
package dev.purser.http;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;

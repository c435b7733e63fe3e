package dev.purser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The modules that a module may use, declared on its {@code package-info}. The packages directly under
 * {@code dev.purser} are modules. A package below a module is a module of its own if it has this annotation.
 * {@code ModularityTests} checks every import against this list.
 */
@Target(ElementType.PACKAGE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MayUse {
    /** The names of the permitted modules, without the {@code dev.purser.} prefix, for example {@code ledger.proof}. */
    String[] value();
}

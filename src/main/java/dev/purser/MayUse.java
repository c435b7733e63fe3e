package dev.purser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The modules that a module may use, declared on its {@code package-info}. The packages directly under
 * {@code dev.purser} are the modules. {@code ModularityTests} checks every import against this list.
 */
@Target(ElementType.PACKAGE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MayUse {
    /** The names of the permitted modules, without the {@code dev.purser.} prefix. */
    String[] value();
}

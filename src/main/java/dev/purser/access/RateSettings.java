package dev.purser.access;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How many requests a principal may send in a minute, by its role, as {@code purser.rates.*}; 0 for any number. Unused
 * requests of more than ten seconds are not saved up.
 *
 * @param failedSignIns how many requests of one address in a minute may have a credential that is not valid
 */
public record RateSettings(
        @Min(0) @Max(10_000_000) @DefaultValue("0") int administrator,
        @Min(0) @Max(10_000_000) @DefaultValue("60000") int custodian,
        @Min(0) @Max(10_000_000) @DefaultValue("60000") int analyst,
        @Min(0) @Max(10_000_000) @DefaultValue("60000") int viewer,
        @Min(0) @Max(10_000_000) @DefaultValue("60000") int collector,
        @Min(0) @Max(10_000_000) @DefaultValue("60000") int auditor,
        @Min(0) @Max(10_000_000) @DefaultValue("60000") int operator,
        @Min(0) @Max(10_000_000) @DefaultValue("600") int failedSignIns) {
    int perMinute(Role role) {
        return switch (role) {
            case ADMINISTRATOR -> administrator;
            case CUSTODIAN -> custodian;
            case ANALYST -> analyst;
            case VIEWER -> viewer;
            case COLLECTOR -> collector;
            case AUDITOR -> auditor;
            case OPERATOR -> operator;
        };
    }
}

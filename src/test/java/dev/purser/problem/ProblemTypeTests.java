package dev.purser.problem;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemTypeTests {
    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void anEntryIsTheWholeOfAProblem(ProblemType type) {
        assertThat(type.slug()).matches("[a-z]+(-[a-z]+)*");
        assertThat(type.status()).isBetween(400, 599);
        assertThat(type.title()).isNotBlank().doesNotEndWith(".");
        assertThat(type.meaning()).endsWith(".");
        assertThat(type.remedy()).endsWith(".");
        assertThat(type.exampleDetail()).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void theMembersOfAnExampleAreAnObjectWithoutTheStandardOnes(ProblemType type) {
        JsonNode members = JsonMapper.shared().readTree(type.exampleMembers());
        assertThat(members.isObject()).isTrue();
        assertThat(members.propertyNames()).doesNotContain("type", "title", "status", "detail", "instance");
    }

    @Test
    void everySlugIsOfOneType() {
        assertThat(Arrays.stream(ProblemType.values()).map(ProblemType::slug)).doesNotHaveDuplicates();
    }
}

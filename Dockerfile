# Builds Purser from source, then runs it on a Java runtime alone.
# The project's tests only read this file and never build it; see docs/operating.md.
# To pin an image, replace its tag by the digest that you tried: `docker inspect -f '{{.RepoDigests}}' IMAGE` lists it.

FROM eclipse-temurin:25-jdk AS build
# Any version of Maven works: ./mvnw uses it to fetch the pinned one. With --build-arg MVNW_REPOURL=… it fetches from
# that Maven repository instead.
ARG MVNW_REPOURL=
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends maven curl \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
# The tests need free ports and a real disk, which an image build does not have; run ./mvnw verify before.
RUN ./mvnw -B -ntp -Dmaven.test.skip=true package

FROM eclipse-temurin:25-jre
RUN groupadd --system --gid 10001 purser \
    && useradd --system --uid 10001 --gid purser --home-dir /var/lib/purser --no-create-home --shell /usr/sbin/nologin purser \
    && install -d -m 0700 -o purser -g purser /var/lib/purser
COPY --from=build /build/target/purser.jar /build/purser.jar
# Java's AOT cache needs the extracted jar, and one training run that stops once the context is complete.
RUN java -Djarmode=tools -jar /build/purser.jar extract --destination /opt/purser \
    && PURSER_HOME=/build/home SERVER_PORT=0 java -XX:+UseSerialGC -XX:AOTCacheOutput=/opt/purser/purser.aot \
        -Dspring.context.exit=onRefresh -jar /opt/purser/purser.jar \
    && rm -r /build
ENV PURSER_HOME=/var/lib/purser \
    SERVER_ADDRESS=0.0.0.0
VOLUME /var/lib/purser
EXPOSE 8080
USER purser
WORKDIR /var/lib/purser
# The runtime image has no HTTP client: bash sends the request over its own socket and checks the status line.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /actuator/health HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r -t 4 status <&3 && [[ $status == *' 200'* ]]"]
ENTRYPOINT ["java", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC", "-XX:AOTCache=/opt/purser/purser.aot", "-jar", "/opt/purser/purser.jar"]

// Reads a subscription: server-sent events, each with an answer of the operation.
(function () {
  "use strict";

  /** Yields the data of each event of a stream. Comments and lone ids have none. */
  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (rest + part.value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) yield data.slice("data: ".length);
      }
    }
  }

  /** What GraphiQL subscribes to. ask takes a signal that ends the request; read makes an answer of what is no stream. */
  window.following = (ask, read) => ({
    subscribe(sink) {
      const ends = new AbortController();
      const run = async () => {
        const answer = await ask(ends.signal);
        if (!answer.headers.get("Content-Type")?.startsWith("text/event-stream")) return sink.next(await read(answer));
        for await (const data of events(answer.body)) sink.next(JSON.parse(data));
      };
      run().then(
        () => sink.complete(),
        (err) => ends.signal.aborted || sink.error(err),
      );
      return { unsubscribe: () => ends.abort() };
    },
  });
})();

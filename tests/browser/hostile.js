async urls => {
    // All that a page can try on other origins; gives what it could read of their answers.
    const SECONDS = 10;
    const jar = () => {
        const form = new FormData();
        form.append("jarfile", new File(["x"], "stolen.jar"));
        return form;
    };
    const read = [];
    const saw = (way, url, text) => text && read.push({ way, url, text: text.slice(0, 200) });

    const ask = (url, mode, credentials, method, body) =>
        fetch(url, { mode, credentials, method, body, signal: AbortSignal.timeout(1000 * SECONDS) })
            .then(answer => answer.text())
            .then(text => saw(`${mode} ${credentials} ${method}`, url, text))
            .catch(() => {});

    const send = (url, type) =>
        new Promise(done => {
            const frame = document.body.appendChild(document.createElement("iframe"));
            frame.name = `frame${frames.length}`;
            const form = document.body.appendChild(document.createElement("form"));
            Object.assign(form, { action: url, method: "POST", enctype: type, target: frame.name });
            form.appendChild(Object.assign(document.createElement("input"), { name: "query", value: "SELECT 1" }));
            frame.onload = () => {
                saw("form", url, frame.contentDocument?.body.innerText); // null where it is of another origin
                done();
            };
            setTimeout(done, 1000 * SECONDS);
            form.submit();
        });

    const talk = url =>
        new Promise(done => {
            const socket = new WebSocket(url);
            socket.onopen = () => saw("websocket", url, "open") && done();
            socket.onerror = socket.onclose = done;
            setTimeout(done, 1000 * SECONDS);
        });

    const attempts = [];
    for (const url of urls) {
        attempts.push(talk(url.replace("http", "ws")));
        for (const credentials of ["omit", "include"])
            for (const mode of ["cors", "no-cors"])
                for (const [method, body] of [["GET"], ["POST", "SELECT 1"], ["POST", jar()]])
                    attempts.push(ask(url, mode, credentials, method, body));
        for (const type of ["text/plain", "multipart/form-data"]) attempts.push(send(url, type));
    }
    await Promise.all(attempts);
    return read;
}

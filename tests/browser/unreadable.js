// What of an open dashboard cannot be read: a list of sentences.
() => {
    const faults = [];
    const width = box => Math.max(0, box.right - box.left);
    const height = box => Math.max(0, box.bottom - box.top);
    const meet = (one, other) => ({
        left: Math.max(one.left, other.left), right: Math.min(one.right, other.right),
        top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom),
    });
    const NOWHERE = { left: 0, right: 0, top: 0, bottom: 0 };
    const overlap = (one, other) => {
        const both = meet(one, other);
        return width(both) > 1 && height(both) > 2;
    };
    // Tells of each pair of texts of which one is drawn over the other.
    const tellOverlaps = (chart, texts) => texts.forEach((one, index) => {
        for (const other of texts.slice(index + 1))
            if (overlap(one, other)) faults.push(`${chart}: "${one.text}" and "${other.text}" overlap`);
    });

    // Where a text of the page is drawn, without what a scrolled or clipped box around it hides.
    const htmlTexts = root => {
        const found = [];
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode, range = document.createRange();
            range.selectNodeContents(node);
            let box = range.getBoundingClientRect();
            const whole = box;
            for (let each = node.parentElement; each && each !== root.parentElement; each = each.parentElement) {
                const style = getComputedStyle(each);
                if (style.visibility === "hidden" || style.opacity === "0") box = NOWHERE;
                else if (style.overflow !== "visible") box = meet(box, each.getBoundingClientRect());
            }
            if (node.textContent.trim() && width(box) > 1 && height(box) > 1)
                found.push({ ...meet(box, box), text: node.textContent.trim(), cut: width(box) < width(whole) - 1 });
        }
        return found;
    };

    // React keeps the ECharts instance of a canvas among the hooks of a component around it.
    const drawing = holder => {
        const key = Object.keys(holder).find(name => name.startsWith("__reactFiber$"));
        for (let fiber = holder[key]; fiber; fiber = fiber.return)
            for (let hook = fiber.memoizedState; hook && typeof hook === "object" && "next" in hook; hook = hook.next)
                if (hook.memoizedState?.current?.getZr) return hook.memoizedState.current;
    };
    const drawn = shape => {
        const { x, y, width, height } = shape.getBoundingRect();
        const [a, b, c, d, right, down] = shape.getComputedTransform() ?? [1, 0, 0, 1, 0, 0];
        const at = (x, y) => [a * x + c * y + right, b * x + d * y + down];
        const [one, other] = [at(x, y), at(x + width, y + height)];
        return {
            left: Math.min(one[0], other[0]), right: Math.max(one[0], other[0]),
            top: Math.min(one[1], other[1]), bottom: Math.max(one[1], other[1]),
        };
    };
    const pen = document.createElement("canvas").getContext("2d");
    const canvasTexts = echarts => {
        const found = [];
        for (const item of echarts.getZr().storage.getDisplayList(true)) {
            const text = String(item.style?.text ?? "").replace(/^[\s\u2060]+|[\s\u2060]+$/g, "");
            if (item.type !== "tspan" || !text || item.invisible || item.style.opacity === 0) continue;
            let box = drawn(item);
            // Of the text alone: spaces at its ends are there to be empty, and ECharts takes the height of a line
            // from a Chinese letter, which the fonts here need not have.
            pen.font = item.style.font;
            const length = pen.measureText(text).width, size = parseFloat(pen.font.match(/([\d.]+)px/)[1]);
            const stands = Math.abs(item.getComputedTransform()?.[1] ?? 0) > 0.5;
            const [wide, high] = stands ? [size, length] : [length, size];
            const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
            box = { left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 };
            for (const clip of item.__clipPaths ?? []) box = meet(box, drawn(clip));
            if (width(box) > 1 && height(box) > 1) found.push({ ...box, text });
        }
        return found;
    };

    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) faults.push(`the page is ${page.scrollWidth} pixels wide`);
    for (const chart of document.querySelectorAll("[data-test=chart-grid-component]")) {
        const name = chart.dataset.testChartName;
        const title = chart.querySelector(".header-title"), menu = chart.querySelector(".header-controls");
        const titles = htmlTexts(title);
        if (!titles.some(each => each.text === name && !each.cut)) faults.push(`${name}: the title is cut`);
        if (titles.some(each => overlap(each, menu.getBoundingClientRect())))
            faults.push(`${name}: the title runs into the menu`);
        const number = chart.querySelector(".header-line");
        if (number && (htmlTexts(chart).find(each => each.text === number.innerText)?.cut ?? true))
            faults.push(`${name}: the number is cut`);
        tellOverlaps(name, htmlTexts(chart));
        for (const holder of chart.querySelectorAll("[_echarts_instance_]")) {
            const echarts = drawing(holder);
            if (!echarts) {
                faults.push(`${name}: its labels cannot be found`);
                continue;
            }
            const texts = canvasTexts(echarts), [across, down] = [echarts.getWidth() + 1, echarts.getHeight() + 1];
            for (const each of texts)
                if (each.left < -1 || each.top < -1 || each.right > across || each.bottom > down)
                    faults.push(`${name}: "${each.text}" is cut`);
            tellOverlaps(name, texts);
        }
    }
    for (const text of document.querySelectorAll(".dashboard-markdown"))
        if (text.scrollHeight > text.clientHeight + 1) faults.push(`a text is cut: ${text.innerText.slice(0, 60)}`);
    return faults;
}

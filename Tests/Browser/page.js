// Questions about a page, answered in it.
(() => {
  const visible = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    && element.getClientRects().length > 0;
  const parse = (color) => {
    const numbers = color.match(/[\d.]+/g).map(Number);
    return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
  };
  const over = (top, under) => top.rgb.map((value, index) => value * top.alpha + under[index] * (1 - top.alpha));
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const background = (element) => {
    const layers = [];
    for (let node = element; node; node = node.parentElement) layers.push(parse(getComputedStyle(node).backgroundColor));
    return layers.reduceRight((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const name = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${element.className}`;

  window.checks = {
    // Text below the contrast of WCAG 1.4.3.
    contrast() {
      const faults = new Set();
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !visible(element) || element.closest(".visually-hidden, noscript")) continue;
        const style = getComputedStyle(element);
        // Marks below a field hold its text without showing it.
        if (parse(style.color).alpha === 0 && element.closest("[aria-hidden]")) continue;
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
        const backdrop = background(element);
        const found = ratio(over(parse(style.color), backdrop), backdrop);
        if (found < (isLarge ? 3 : 4.5)) faults.add(`${name(element)} ${found.toFixed(2)}`);
      }
      for (const element of document.querySelectorAll("input, textarea, select, button")) {
        if (!visible(element)) continue;
        const style = getComputedStyle(element);
        const inside = background(element);
        const text = ratio(over(parse(style.color), inside), inside);
        if (text < 4.5 && !element.disabled) faults.add(`${name(element)} text ${text.toFixed(2)}`);
        const around = background(element.parentElement);
        const border = ratio(over(parse(style.borderTopColor), around), around);
        if (border < 3) faults.add(`${name(element)} border ${border.toFixed(2)}`);
      }
      for (const element of document.querySelectorAll("input, textarea")) {
        const style = getComputedStyle(element, "::placeholder");
        const backdrop = background(element);
        if (element.placeholder && visible(element) && ratio(over(parse(style.color), backdrop), backdrop) < 4.5) faults.add(`${name(element)} placeholder`);
      }
      return [...faults];
    },
    // What a keyboard can reach, in the order of the document.
    focusable() {
      return [...document.querySelectorAll("a[href], button, input, textarea, select, summary, [tabindex='0']")]
        .filter((element) => !element.disabled && element.tabIndex >= 0 && (visible(element) || element.className === "skip"))
        .map((element, index) => { element.dataset.order = String(index); return name(element); });
    },
    focused() {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      const backdrop = background(element.parentElement ?? element);
      return {
        order: Number(element.dataset.order ?? -1), name: name(element), width: parseFloat(style.outlineWidth), style: style.outlineStyle,
        ratio: ratio(over(parse(style.outlineColor), backdrop), backdrop), top: element.getBoundingClientRect().top, bottom: element.getBoundingClientRect().bottom,
      };
    },
    // Elements that stick out of the page, which would have to be scrolled sideways.
    overflow() {
      const width = document.documentElement.scrollWidth;
      return width > innerWidth
        ? [`the page has ${width} px`, ...[...document.querySelectorAll("body *")].filter((element) =>
          element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, .source")).map(name).slice(0, 5)] : [];
    },
    structure() {
      const count = (selector) => document.querySelectorAll(selector).length;
      return {
        main: count("main"), h1: count("h1"), title: document.title, lang: document.documentElement.lang,
        scripts: count("script"), strange: count("img, iframe, object, embed, style, svg [onload], [onerror], [onclick], [style]"),
        first: name(document.querySelector("a[href], button, input")),
      };
    },
  };
})();

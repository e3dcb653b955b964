// Prints the figures that dh_view.js shows, a line a node of its tree: run as
//   node dh_view_report.cjs <dh_view.js> <dhat.out file>
const fs = require("fs"), vm = require("vm");
const element = () => ({
    childNodes: [], classList: { add() {} }, style: {},
    appendChild(child) { this.childNodes.push(child); return child; },
});
const document = { body: element(), location: { search: "" }, createElement: element, createTextNode: element };
const context = vm.createContext({ document, performance: { now: () => 0 }, window: {}, URLSearchParams, Intl, console });
const report = `
gData = JSON.parse(${JSON.stringify(fs.readFileSync(process.argv[3], "utf8"))});
gSelect = { childNodes: gSelectData.map(() => ({})), selectedIndex: 0 };
buildTree();
const walk = (node, above) => {
    const path = above.concat(node._frames);
    const figures = [
        bytesAndPercAndRate(node._totalBytes, gRoot._totalBytes),
        blocksAndPercAndRate(node._totalBlocks, gRoot._totalBlocks),
        "avg size " + bytes(node._totalAvgSizeBytes()),
    ];
    if (gData.bklt) {
        figures.push("avg lifetime " + time(node._totalAvgLifetimes()));
        figures.push("t-gmax " + bytesAndPerc(node._atTGmaxBytes, gRoot._atTGmaxBytes));
        figures.push("in " + blocksAndPerc(node._atTGmaxBlocks, gRoot._atTGmaxBlocks));
        figures.push("t-end " + bytesAndPerc(node._atTEndBytes, gRoot._atTEndBytes));
        figures.push("in " + blocksAndPerc(node._atTEndBlocks, gRoot._atTEndBlocks));
    }
    if (gData.bkacc) {
        figures.push("reads " + bytesAndPercAndRate(node._readsBytes, gRoot._readsBytes));
        figures.push("per byte " + perByte(node._readsAvgPerByte()));
        figures.push("writes " + bytesAndPercAndRate(node._writesBytes, gRoot._writesBytes));
        figures.push("per byte " + perByte(node._writesAvgPerByte()));
    }
    console.log(path.slice(1).map((id) => gData.ftbl[id]).reverse().join(" < ") + "\\t" + figures.join("\\t"));
    for (const kid of node._kids || []) walk(kid, path);
};
walk(gRoot, []);
`;
vm.runInContext(fs.readFileSync(process.argv[2], "utf8") + report, context);

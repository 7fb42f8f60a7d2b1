/// Bars of figures, a group for each workload, the longest of each group as long as all others.
///
/// Plain SVG in colors that are legible on a light and on a dark page. The thin line at the end of a bar goes from the
/// best run to the worst.
package struct Plot {
    private let figures: [Figure]

    /// A plot of those of `figures` that have a title.
    package init(_ figures: [Figure]) { self.figures = figures }

    private static let (width, label, longest, bar, gap) = (760, 130, 500, 14, 5)
    private static let (ours, theirs) = ("#2f81f7", "#8b949e")

    package var svg: String {
        var (lines, top) = ([String](), 6)
        for group in figures.groups {
            top += 18
            lines.append(
                #"<text x="0" y="\#(top)" font-weight="bold">\#(Self.escaped(group[0].title))</text>"#)
            top += 8
            let most = group.map(\.worst).max() ?? 1
            for figure in group {
                lines += Self.line(of: figure, at: top, most: max(most, .leastNormalMagnitude))
                top += Self.bar + Self.gap
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(top + 6)" width="\(Self.width)" \
            font-family="sans-serif" font-size="12" fill="#768390">
            \(lines.joined(separator: "\n"))
            </svg>

            """
    }

    private static func line(of figure: Figure, at top: Int, most: Double) -> [String] {
        func length(_ seconds: Double) -> Int { max(1, Int(seconds / most * Double(longest))) }
        let (end, best, worst) = (length(figure.median), length(figure.best), length(figure.worst))
        let middle = top + bar / 2
        return [
            #"<text x="\#(label - 8)" y="\#(top + 11)" text-anchor="end">\#(escaped(figure.program))</text>"#,
            #"<rect x="\#(label)" y="\#(top)" width="\#(end)" height="\#(bar)" fill="\#(figure.isOurs ? ours : theirs)"/>"#,
            #"<path d="M\#(label + best) \#(middle)H\#(label + worst)" stroke="currentColor"/>"#,
            #"<text x="\#(label + worst + 6)" y="\#(top + 11)">\#(Figure.shown(figure.median))</text>"#,
        ]
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

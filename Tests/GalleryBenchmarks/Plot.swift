/// Bars of all figures but those of lists, a group for each workload, the longest of a group as long as all others.
///
/// Plain SVG in colors that are legible on a light and on a dark page.
struct Plot {
    let figures: [Figure]

    private static let (width, label, longest, bar, gap) = (760, 190, 460, 14, 5)

    var svg: String {
        var lines: [String] = []
        var y = 6
        var groups: [[Figure]] = []
        for figure in figures where !figure.title.isEmpty {
            if groups.last?.first?.workload != figure.workload { groups.append([]) }
            groups[groups.count - 1].append(figure)
        }
        for group in groups {
            y += 16
            lines.append(#"<text x="0" y="\#(y)" font-weight="bold">\#(group[0].title)</text>"#)
            y += 8
            let most = group.map(\.median).max() ?? 1
            for figure in group {
                let length = max(1, Int(figure.median / most * Double(Self.longest)))
                let isOurs = figure.program.hasPrefix("gallery") && !figure.program.hasPrefix("gallery-dl")
                lines.append(
                    #"<text x="\#(Self.label - 8)" y="\#(y + 11)" text-anchor="end">\#(figure.program)</text>"#
                )
                lines.append(
                    #"<rect x="\#(Self.label)" y="\#(y)" width="\#(length)" height="\#(Self.bar)" fill="\#(isOurs ? "#2f81f7" : "#8b949e")"/>"#
                )
                lines.append(
                    #"<text x="\#(Self.label + length + 6)" y="\#(y + 11)">\#(figure.shownTime)</text>"#)
                y += Self.bar + Self.gap
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(y + 6)" width="\(Self.width)" \
            font-family="sans-serif" font-size="12" fill="#768390">
            \(lines.joined(separator: "\n"))
            </svg>

            """
    }
}

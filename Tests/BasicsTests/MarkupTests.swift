import Basics
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce) struct MarkupTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("<b>bold</b> text", "bold text"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<p>a</p><p>b</p>", "a\nb\n"),
        ("I <3 you & me", "I <3 you & me"),
        ("a < b > c", "a < b > c"),
        ("&lt;b&gt; &amp;amp; &quot;&#39;&#x41;&eacute;", "<b> &amp; \"'Aé"),
        ("&bogus; &#xD800; &#99999999;", "&bogus; &#xD800; &#99999999;"),
        ("x<script>alert('<b>')</script>y", "xy"),
        ("x<!-- <b>comment</b> -->y", "xy"),
        ("unclosed <a href=\"x", "unclosed <a href=\"x"),
        ("<script>never closed", ""),
        ("&", "&"), ("<", "<"), ("<>", "<>"),
    ])
    func `markup goes, words stay, entities are decoded once`(text: String, plain: String) {
        #expect(Markup.plain(text) == plain)
    }

    /// The limit is for a reading that looks behind each bracket for its end: hours.
    @Test(.timeLimit(.minutes(1))) func `400,000 letters of open markup are read in one go`() {
        let text = String(repeating: "<a", count: 200_000)
        #expect(Markup.plain(text) == text)
    }
}

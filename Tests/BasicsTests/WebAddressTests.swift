import Basics
import Foundation
import Testing

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("http://h/", "http://h/"),
        ("http://h/a%20b?x=%3D", "http://h/a%20b?x=%3D"),
        ("http://h/?sig=q%3D&x=[1]", "http://h/?sig=q%3D&x=%5B1%5D"),
        ("http://h/a%20b c.jpg", "http://h/a%20b%20c.jpg"),
        ("http://h/a%2Fb|c", "http://h/a%2Fb%7Cc"),
        ("http://h/100%/a%2", "http://h/100%25/a%252"),
        ("http://h/%zz%2f", "http://h/%25zz%2f"),
        ("http://h/%2520 x", "http://h/%2520%20x"),
        ("http://h/é?ü=%C3%BC#ö", "http://h/%C3%A9?%C3%BC=%C3%BC#%C3%B6"),
        ("http://h/a?b?c=d e", "http://h/a?b?c=d%20e"),
        ("http://h/a#b#c%2F", "http://h/a#b%23c%2F"),
        ("http://h/\\a^`{}\"<>", "http://h/%5Ca%5E%60%7B%7D%22%3C%3E"),
        ("http://h/-._~!$&'()*+,;=:@/", "http://h/-._~!$&'()*+,;=:@/"),
        ("http://例え.jp/a%2Fb c", "http://xn--r8jz45g.jp/a%2Fb%20c"),
        ("http://[::1]:8080/a[1]%2F", "http://[::1]:8080/a%5B1%5D%2F"),
        ("HTTP://h?q=a b", "HTTP://h?q=a%20b"),
        ("http://h/line\nbreak%0A", "http://h/line%0Abreak%0A"),
        (" \t\r\nhttp://h/a.jpg\n ", "http://h/a.jpg"),
        ("http://h/p.jpg?w=150&amp;h=100", "http://h/p.jpg?w=150&h=100"),
        ("http://h/?a=1&amp;amp;amp;b=2&#038;c=3&#38;amp;d", "http://h/?a=1&b=2&c=3&d"),
        ("http://h/a.jpg&amp;b=1", "http://h/a.jpg&b=1"),
        ("http://h/?a&ampere;b&amp", "http://h/?a&ampere;b&amp"),
    ])
    func `stays as it was written, but for what no address may hold`(text: String, address: String) {
        #expect(WebAddress.url(text)?.absoluteString == address)
    }

    @Test(arguments: [
        "", "h/a", "//h/a", "ftp://h/", "http://", "http:///a", "http://h:x/", "http://h h/", "javascript:a",
    ])
    func `is none`(text: String) {
        #expect(WebAddress.url(text) == nil)
    }

    @Test(arguments: [
        ("b%2Fc/", "http://h/d/b%2Fc/"), ("/b c%3D", "http://h/b%20c%3D"),
        ("?x=[1]%2F", "http://h/d/f?x=%5B1%5D%2F"),
        ("//o/x%2F y", "http://o/x%2F%20y"), ("../a%2Fb c", "http://h/a%2Fb%20c"),
        ("https://o/a b%20", "https://o/a%20b%20"),
    ])
    func `relative ones too`(text: String, address: String) throws {
        let base = try #require(URL(string: "http://h/d/f?x=1"))
        #expect(WebAddress.parsed(text, relativeTo: base)?.absoluteString == address)
    }

    @Test func `an address escaped a hundred thousand times is one`() {
        let text = "http://h/?a&" + String(repeating: "amp;", count: 100_000) + "b"
        #expect(WebAddress.url(text)?.absoluteString == "http://h/?a&b")
    }
}

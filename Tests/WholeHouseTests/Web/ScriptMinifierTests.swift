import Testing

@testable import CardeaWeb

@Suite("Script minifier")
struct ScriptMinifierTests {
    @Test(
        "Redundant spaces and line ends are removed",
        arguments: [
            ("const a = b + c;", "let a=b+c;"),
            (
                "export async function run({ a, b = 2 }) {\n  return a ? b : { ...a };\n}",
                "export async function run({a,b=2}){return a?b:{...a}}"
            ),
            ("a + +b - -c", "a+ +b- -c"),
            ("i++\nj", "i++\nj"),
            ("a\n(b)", "a\n(b)"),
            ("schema.const  = { const: 1 }", "schema.const={const:1}"),
            ("done()\n  .then(x)", "done().then(x)"),
            ("let x = 1\nlet y = 2", "let x=1\nlet y=2"),
            ("if (a) {\n  b();\n}\nc();", "if(a){b()}\nc();"),
            ("list.map((one) => one.id)", "list.map(one=>one.id)"),
            ("const f = (one) => (two) => [one, two];", "let f=one=>two=>[one,two];"),
            ("const f = async (one) => one;", "let f=async(one)=>one;"),
            ("f((a, b) => a, () => 1, ({ c }) => c, (d = 1) => d)", "f((a,b)=>a,()=>1,({c})=>c,(d=1)=>d)"),
            ("const at = (a) >= b;", "let at=(a)>=b;"),
            ("for (;;) {\n  go();\n}", "for(;;){go()}"),
            ("typeof a === \"x\"  &&  b in c", "typeof a===\"x\"&&b in c"),
        ])
    func code(written: String, sent: String) {
        #expect(ScriptMinifier.minify(written) == sent)
    }

    @Test(
        "String, template and regular expression contents stay unchanged",
        arguments: [
            ("say(\"a  =  b, c\")", "say(\"a  =  b, c\")"),
            ("say('it\\'s  so')", "say('it\\'s  so')"),
            ("say(`${ a + b }  of  ${ `in  ${ c }` }  left`)", "say(`${a+b}  of  ${`in  ${c}`}  left`)"),
            ("say(`${ { a: 1 }.a }  x`)", "say(`${{a:1}.a}  x`)"),
            ("x.replace(/ [\"/ ]  \\/ /g, \" \")", "x.replace(/ [\"/ ]  \\/ /g,\" \")"),
            ("return / a  b/.test(x)", "return/ a  b/.test(x)"),
            ("const half = total / 2 / count, name = \"a / b\"", "let half=total/2/count,name=\"a / b\""),
            ("(a + b) / 2  /  c[0] / d", "(a+b)/2/c[0]/d"),
            ("say(`${ a }; }`, \"(a) => b; }\")", "say(`${a}; }`,\"(a) => b; }\")"),
            ("const ü = \"ä  ö\"", "let ü=\"ä  ö\""),
        ])
    func texts(written: String, sent: String) {
        #expect(ScriptMinifier.minify(written) == sent)
    }

    @Test("Minifying twice changes nothing")
    func settled() throws {
        let site = try Site()
        for path in site.paths where path.hasSuffix(".js") {
            let file = try #require(try site.file(path))
            let script = String(decoding: file.bytes, as: UTF8.self)
            #expect(ScriptMinifier.minify(script) == script, "\(path)")
            #expect(IdentifierShortener.shorten(script) == script, "\(path)")
        }
    }
}

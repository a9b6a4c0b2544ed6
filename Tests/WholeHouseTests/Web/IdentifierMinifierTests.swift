import Testing

@testable import CardeaWeb

@Suite("Identifier minifier")
struct IdentifierMinifierTests {
    @Test(
        "Local names become single letters, the most used first",
        arguments: [
            ("let door=1;say(door)", "let e=1;say(e)"),
            ("function paint(door){return door.name}\npaint(house)", "function t(e){return e.name}\nt(house)"),
            ("list.map(one=>one.id)", "list.map(e=>e.id)"),
            ("list.map(([key,value],at,...rest)=>[key,value,rest])", "list.map(([e,n],at,...t)=>[e,n,t])"),
            ("let[first,second]=pair;go(first,second)", "let[e,t]=pair;go(e,t)"),
            ("try{go()}catch(error){say(error)}", "try{go()}catch(e){say(e)}"),
            ("for(let one of list)say(one)", "for(let e of list)say(e)"),
            ("class Row extends Part{update(door){paint(door)}}", "class Row extends Part{update(e){paint(e)}}"),
            ("let door=2;say(`${`in ${door}`} of ${{door:1}.door}`)", "let e=2;say(`${`in ${e}`} of ${{door:1}.door}`)"),
            ("let half=total/count/2,look=/half/;say(half)", "let e=total/count/2,look=/half/;say(e)"),
            ("let eel=1,tea=t+e;say(eel)", "let n=1,tea=t+e;say(n)"),
        ])
    func own(written: String, sent: String) {
        #expect(IdentifierShortener.shorten(written) == sent)
    }

    @Test(
        "Imports, exports, properties, keys, shorthands, methods, labels and strings keep their names",
        arguments: [
            (
                "import{door as gate}from\"./door.js\";let near=gate(door);go(near,gate)",
                "import{door as gate}from\"./door.js\";let e=gate(door);go(e,gate)"
            ),
            (
                "export let door=1,gate=2;export function open(one){return one+door+gate}",
                "export let door=1,gate=2;export function open(e){return e+door+gate}"
            ),
            ("export{door,gate as way};let door=1,gate=2", "export{door,gate as way};let door=1,gate=2"),
            ("let door=1;say({door})", "let door=1;say({door})"),
            ("let{door,gate:{leaf=1}}=house;say(door,leaf)", "let{door,gate:{leaf=1}}=house;say(door,leaf)"),
            ("let door=1;say({door:door},house.door,house?.door,...door)", "let e=1;say({door:e},house.door,house?.door,...e)"),
            ("let door=1;say(near?door:gate)", "let e=1;say(near?e:gate)"),
            (
                "let door=1;say({door(one){return one},get gate(){return door}})",
                "let door=1;say({door(e){return e},get gate(){return door}})"
            ),
            (
                "class Door{#bolt=1;leaf=2;open(gate){return this.#bolt+gate}}let gate=leaf=>leaf",
                "class Door{#bolt=1;leaf=2;open(e){return this.#bolt+e}}let e=leaf=>leaf"
            ),
            (
                "outer:for(let one of list)for(let outer of one)continue outer",
                "outer:for(let e of list)for(let outer of e)continue outer"
            ),
            (
                "location.reload();let reload=location=>location.reload();go(reload)",
                "location.reload();let e=location=>location.reload();go(e)"
            ),
            ("if(house){say(house)}", "if(house){say(house)}"),
            ("switch(door){case gate:go()}let gate=1", "switch(door){case e:go()}let e=1"),
            ("say(\"door\",`door`,/door/);let door=1", "say(\"door\",`door`,/door/);let e=1"),
        ])
    func shared(written: String, sent: String) {
        #expect(IdentifierShortener.shorten(written) == sent)
    }
}

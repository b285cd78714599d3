"""Sites written before the readers of company facts were looked at: publishers, shops, firms, people and offices."""

# ruff: noqa: E501, ISC004, Q000 - a page stands as it would be sent

from company_pages import SHARES, Site, article, links, paragraphs, site

MEDIA = ("Media Industry", "Publishing Industry")
SOFTWARE = ("Technology Industry",)

MATCH = (
    "City beat Rovers 3-1 on Saturday with two goals in the last ten minutes, and the away fans were gone by the time "
    "the third went in. The manager praised his midfield and the patience of his defenders.",
    "Striker Paul Meade opened the scoring from the spot after a foul by the Rovers captain. The league leaders now "
    "stand four points clear with six games of the season to play, and a cup semi-final on Wednesday.",
    "“We never stopped believing,” said the goalkeeper. City's stadium was sold out for the ninth time this season.",
)

SITES: list[Site] = [
    site(
        "northern-courier", "City beat Rovers in late show | The Northern Courier",
        head='<meta property="og:site_name" content="The Northern Courier"><meta name="twitter:site" content="@ncourier">'
        '<meta name="twitter:creator" content="@samhollis_">',
        data={"@type": "NewsArticle", "headline": "City beat Rovers", "author": {"@type": "Person", "name": "Sam Hollis",
              "sameAs": ["https://twitter.com/samhollis_", "https://www.linkedin.com/in/samhollis"]},
              "publisher": {"@type": "NewsMediaOrganization", "name": "The Northern Courier",
                            "sameAs": ["https://www.facebook.com/northerncourier"]}},
        main=article("City beat Rovers in late show", *MATCH, byline='<div class=byline>By <a href="https://twitter.com/'
                     'samhollis_">Sam Hollis</a> <a href="mailto:sam.hollis@northern-courier.example">Email</a></div>', after=SHARES),
        footer='<ul class=social>' + links("https://twitter.com/ncourier", "https://www.facebook.com/northerncourier")
        + "</ul><p>Newsroom: 0191 498 0133. © The Northern Courier Ltd, 14 Quayside, Newcastle upon Tyne NE1 3DX. "
        "Founded 1871.</p>",
        name="The Northern Courier", twitter="@ncourier", profiles=("facebook.com/northerncourier",), industry=MEDIA,
        phones=("01914980133",), addresses=("14 Quayside",), city="Newcastle upon Tyne", founded=1871,
    ),
    site(
        "pistonheadlines", "My first drive of the new Vantor E | Piston Headlines",
        main=article("My first drive of the new Vantor E", "I have run this car blog since my student days, and no "
                     "electric saloon has made me grin like the Vantor E. It does sixty in 3.9 seconds and the seats are superb.",
                     "The dealer in Leeds (call 0113 496 0456) lent me the car for the weekend. Torque is instant, the "
                     "steering is heavy, the boot is small. Vantor, founded in 1962 in Stuttgart, employs 24,000 people.",
                     after=SHARES + '<section class=comments><h3>3 comments</h3><p><a href="https://twitter.com/gearheadbob">Bob</a> '
                     'Great review! my email is bob@gearheads.example</p><p><a href="https://www.facebook.com/jane.d.77">Jane</a> Nope.</p></section>'),
        footer="<p>Piston Headlines is a personal blog. Theme by <a href='https://twitter.com/themesmith'>Themesmith</a>.</p>",
        name="Piston Headlines", industry=(None, "Media Industry"),
    ),
    site(
        "brightrank-seo", "SEO for dentists: 9 ways to fill your chairs | BrightRank",
        head='<meta property="og:site_name" content="BrightRank"><meta name="description" content="BrightRank is a search marketing agency for local firms.">',
        header="<nav><a href='/'>BrightRank</a> <a href='/services'>SEO services</a> <a href='/work'>Case studies</a> <a href='/contact'>Get a proposal</a></nav>",
        main=article("SEO for dentists: 9 ways to fill your chairs", "Most dental practices live from the patients within five miles. "
                     "When a patient has a toothache, she asks her phone for a dentist near me. Implants, whitening and check-ups each want a page.",
                     "Put your number where patients see it, for instance “Smile Dental, 12 High Street, Derby DE1 2AB, call 01332 496 0111”. "
                     "Write to hello@yourpractice.com is a poor call to action.", "Dentists should answer every review of their surgery.",
                     byline="<p class=author>Written by <a href='https://www.linkedin.com/in/karen-oduya'>Karen Oduya</a></p>", after=SHARES),
        footer="<ul>" + links("https://www.linkedin.com/company/brightrank", "https://twitter.com/brightrank") + "</ul>"
        "<p>© 2026 BrightRank Ltd. <a href='mailto:hello@brightrank-seo.example'>hello@brightrank-seo.example</a></p>",
        name="BrightRank", twitter="@brightrank", linkedin="linkedin.com/company/brightrank",
        industry=("Advertising Industry",), emails=("hello@brightrank-seo.example",),
    ),
    site(
        "fern-and-fable", "Fern & Fable – house plants, pots and advice",
        header="<a href='/cart'>Basket (0)</a>",
        data={"@type": "OnlineStore", "name": "Fern & Fable", "url": "https://fern-and-fable.example/",
              "sameAs": ["https://www.instagram.com/fernandfable", "https://www.pinterest.co.uk/fernandfable"],
              "contactPoint": {"@type": "ContactPoint", "telephone": "+44 117 496 0820", "email": "care@fern-and-fable.example"}},
        main="<ul>" + "".join(f"<li>{plant} <b>£{price}</b> <button>Add to basket</button></li>" for plant, price in
                              (("Monstera deliciosa", 34), ("Calathea", 22), ("Fiddle-leaf fig", 48))) + "</ul>"
        + paragraphs("House plants grown in Bristol, posted in boxes that keep them upright. Free delivery over £50.",
                     "Follow our friends: <a href='https://www.instagram.com/potterandco'>@potterandco</a> make our pots."),
        footer="Free delivery over £50. Returns within 30 days.",
        name="Fern & Fable", profiles=("instagram.com/fernandfable", "pinterest.co.uk/fernandfable"),
        industry=("Retail Industry",), phones=("01174960820",), emails=("care@fern-and-fable.example",),
    ),
    site(
        "queuely", "Queuely | Background jobs without the pager",
        head='<meta name="twitter:site" content="@queuely">',
        header="<nav><a href='/pricing'>Pricing</a><a href='/docs'>Docs</a><a href='/login'>Log in</a><a href='/signup'>Start free trial</a></nav>",
        main=paragraphs("Queuely is a hosted job queue for teams that ship. Retries, schedules and a dashboard, over one API.",
                        "“Queuely cut our incidents by half.” — Dana Cole, CTO at <a href='https://twitter.com/parcelbee'>Parcelbee</a>, a "
                        "logistics company founded in 2009 with 800 employees in Austin, Texas",
                        "Start in a minute: <code>curl https://api.queuely.example -d email=user@example.com</code>"),
        footer="<ul>" + links("https://x.com/queuely", "https://github.com/queuely", "https://www.linkedin.com/company/queuely-inc/") + "</ul>"
        "<p>Queuely, Inc., 410 Townsend Street, Suite 300, San Francisco, CA 94107</p><a href='mailto:support@queuely.example'>Support</a>",
        name="Queuely", twitter="@queuely", github="queuely", linkedin="linkedin.com/company/queuely-inc", industry=SOFTWARE,
        emails=("support@queuely.example",), addresses=("410 Townsend Street",), city="San Francisco",
    ),
    site(
        "tomlkit-docs", "Installation — Barley 3.2 documentation",
        main=article("Installation", "Barley needs Python 3.10 or newer. Install it with pip, or build it from source.",
                     "To set your identity: <code>barley config user.email you@example.com</code>, and the phone field takes +1 555 0100.",
                     "If you use <a href='https://github.com/pallets/flask'>Flask</a>, read the notes on <a href='https://github.com/encode/starlette'>Starlette</a> too. "
                     "Report problems on <a href='https://github.com/barley-org/barley/issues'>the tracker</a>."),
        footer="<p>© Copyright 2019-2026, the Barley authors. Built with Sphinx. <a href='https://github.com/barley-org/barley'>Source</a></p>",
        github=None, industry=(None, "Technology Industry"),
    ),
    site(
        "elmbridge-council", "Report a missed bin – Elmbridge Council",
        main=article("Report a missed bin", "Tell us within two working days. Bins must be out by 7am. Garden waste is collected every second week.",
                     "If a lorry of a contractor was involved, call the contractor, Swiftwaste, on 0800 496 0999."),
        header="<p>Elmbridge Council</p>",
        footer="<h2>Contact us</h2><address>Civic Centre, 1 High Street, Esher KT10 9SD</address> <a href='tel:01372474474'>01372 474474</a> "
        "<a href='mailto:contact@elmbridge-council.example'>contact@elmbridge-council.example</a><ul>"
        + links("https://www.facebook.com/elmbridgecouncil", "https://twitter.com/elmbridgebc", "https://www.youtube.com/user/elmbridgebc") + "</ul>",
        name="Elmbridge Council", twitter="@elmbridgebc", profiles=("facebook.com/elmbridgecouncil", "youtube.com/user/elmbridgebc"),
        phones=("01372474474",), emails=("contact@elmbridge-council.example",), addresses=("1 High Street",), city="Esher",
    ),
    site(
        "lanternaid", "Lantern Aid: light for every clinic",
        data={"@type": "NGO", "name": "Lantern Aid", "foundingDate": "2003-05-01", "numberOfEmployees": 40,
              "address": {"@type": "PostalAddress", "streetAddress": "9 Chapel Walk", "addressLocality": "Sheffield", "postalCode": "S1 2PD", "addressCountry": "GB"}},
        header="<a href='/donate'>Donate</a>",
        main=paragraphs("We bring solar light to rural clinics. Your gift of £20 keeps one delivery room lit for a month.",
                        "Our partner, the Nairobi hospital group, founded in 1951, employs 2,000 nurses.",
                        "Watch <a href='https://www.youtube.com/watch?v=abc123'>the film</a>, tag <a href='https://twitter.com/hashtag/lightit'>#lightit</a> "
                        "and read <a href='https://twitter.com/WHO/status/123456789'>what WHO says</a>."),
        footer="<ul>" + links("https://www.instagram.com/lanternaid/", "https://www.facebook.com/lanternaid") + "</ul><p>Registered charity 1099999.</p>",
        name="Lantern Aid", profiles=("instagram.com/lanternaid", "facebook.com/lanternaid"), industry=("Non-Profit Organizations",),
        addresses=("9 Chapel Walk",), city="Sheffield", founded=2003, employees="11-50",
    ),
    site(
        "marta-lindqvist", "Marta Lindqvist",
        main=paragraphs("Hi, I'm Marta, a statistician in Gothenburg. I write about sampling, sailing and bread.",
                        "I work at <a href='https://www.linkedin.com/company/statinord'>Statinord</a>, founded in 1988. Before, I studied at Uppsala.",
                        "My office phone is on the card I gave you."),
        footer="<ul>" + links("https://github.com/martalindqvist", "https://x.com/martalindqvist") + "</ul>",
        name="Marta Lindqvist", twitter="@martalindqvist", github="martalindqvist",
    ),
    site(
        "kettlehands-forum", "Which kettle descaler? - Kettlehands Forum",
        main="<div class=post><b>teafan</b> My kettle, a Bosch, is full of scale. Any tips? Mail me: teafan@mailbox.example</div>"
        "<div class=post><b>limey</b> Citric acid. I am at 0161 496 0777 if you want to chat. See <a href='https://www.youtube.com/@descaleking'>Descale King</a></div>"
        "<div class=post><b>pro</b> We at Descale Ltd, 5 Mill Lane, Bolton BL1 1AA, founded 1990, sell sachets. <a href='https://www.facebook.com/descaleltd'>FB</a></div>",
        name="Kettlehands Forum",
        footer="Powered by phpBB® Forum Software © phpBB Limited. <a href='https://twitter.com/phpbb'>phpBB</a>",
    ),
    site(
        "grady-plumbing", "Grady & Sons Plumbing | Emergency plumbers in Tulsa",
        header="<a href='tel:+19185550142'>(918) 555-0142</a>",
        main=paragraphs("Burst pipe? Blocked drain? Grady & Sons have kept Tulsa dry since 1978. Licensed, insured and out within the hour.",
                        "“They were great!” — Paris H., Broken Arrow. As seen in the Washington Street Journal."),
        footer="Grady & Sons Plumbing, 2210 E 11th Street, Tulsa, OK 74104 · <a href='mailto:office@grady-plumbing.example'>office@grady-plumbing.example</a> "
        "· <a href='https://www.yelp.com/biz/grady-and-sons-plumbing-tulsa'>Yelp</a> · <a href='https://www.facebook.com/gradyplumbingtulsa'>Facebook</a>",
        name="Grady & Sons Plumbing", phones=("9185550142",), emails=("office@grady-plumbing.example",), addresses=("2210 E 11th Street",), city="Tulsa",
        founded=1978, unread=("missing founded 1978",), industry=("Construction Industry", None), profiles=("facebook.com/gradyplumbingtulsa",),
    ),
    site(
        "inkandember", "The Lighthouse at Corrow — a short story | Ink & Ember",
        main=article("The Lighthouse at Corrow", "Paris Hilton had nothing on my aunt, who in 1931 founded the Corrow Hotel with forty employees and one spoon.",
                     "“Call me,” she said, and wrote 555-0199 on the wall. She lived at 12 Harbour Street, Corrow, above the fish shop.",
                     "The letter was addressed to keeper@corrow.example, which in those days meant nothing to anyone.",
                     byline="<p>by <a href='https://twitter.com/ellis_writes'>Ellis Ward</a></p>",
                     after="<div class=author-bio><p>Ellis Ward writes. <a href='https://www.instagram.com/elliswrites'>Instagram</a></p></div>"),
        footer="Ink & Ember, a magazine of short fiction. <a href='https://twitter.com/inkandember'>Twitter</a> <a href='/submit'>Submit</a>",
        name="Ink & Ember", twitter="@inkandember", industry=(None, *MEDIA),
    ),
    site(
        "mapleandcrumb", "Brown butter banana bread - Maple and Crumb",
        header="<ul>" + links("https://www.instagram.com/mapleandcrumb/", "https://www.pinterest.com/mapleandcrumb/", "https://www.facebook.com/mapleandcrumb") + "</ul>",
        main=article("Brown butter banana bread", "Mash three bananas, brown the butter, fold in the flour and bake for an hour at 170°C.",
                     "I bake in the pan of <a href='https://www.instagram.com/nordicware'>Nordic Ware</a>, a company founded in 1946 in Minneapolis.",
                     after=SHARES + "<div class=comments><a href='https://www.instagram.com/bakes.by.lou'>Lou</a>: made it twice!</div>"),
        footer="© 2026 Maple and Crumb. Contact: <a href='mailto:hi@mapleandcrumb.example'>hi@mapleandcrumb.example</a>",
        name="Maple and Crumb", profiles=("instagram.com/mapleandcrumb", "pinterest.com/mapleandcrumb", "facebook.com/mapleandcrumb"),
        emails=("hi@mapleandcrumb.example",), industry=(None, "Media Industry"),
    ),
    site(
        "hargreave-law", "Hargreave Law | Solicitors in York",
        data=[{"@type": "LegalService", "name": "Hargreave Law", "telephone": "01904 496011", "address": {"streetAddress": "3 Petergate", "addressLocality": "York", "postalCode": "YO1 7HL", "addressCountry": "GB"}},
              {"@type": "Review", "author": {"@type": "Person", "name": "A. Client"}, "itemReviewed": {"@type": "LegalService", "name": "Hargreave Law"}}],
        main=paragraphs("Wills, conveyancing and family law, with a straight answer at the first meeting.",
                        "Our client, a brewery founded in 1720 with 90 employees, came to us about its lease at 40 Brewhouse Lane, Selby."),
        footer="Authorised and regulated by the Solicitors Regulation Authority. <a href='https://www.linkedin.com/company/hargreave-law-york'>LinkedIn</a>",
        name="Hargreave Law", industry=("Legal Services Industry",), phones=("01904496011",), addresses=("3 Petergate",), city="York",
        linkedin="linkedin.com/company/hargreave-law-york",
    ),
    site(
        "tidepool-podcast", "Episode 41: Octopus dreams | Tidepool, a podcast about the sea",
        main=article("Episode 41: Octopus dreams", "We speak with Dr Ana Reyes (<a href='https://twitter.com/anareyes_octo'>@anareyes_octo</a>) of the "
                     "<a href='https://twitter.com/mbari_news'>Bay Institute</a> about arms that think.",
                     "<iframe src='https://www.youtube.com/embed/xyz'></iframe>", "Music by <a href='https://www.youtube.com/channel/UCfake'>Low Hum</a>."),
        footer="Find us on <a href='https://open.spotify.com/show/123'>Spotify</a>, <a href='https://twitter.com/tidepoolpod'>Twitter</a>, <a href='https://www.instagram.com/tidepoolpod'>Instagram</a>",
        twitter="@tidepoolpod", profiles=("instagram.com/tidepoolpod",), industry=(None, "Media Industry"),
    ),
    site(
        "solvane", "Solvane - enzymes for detergents and food",
        data={"@context": "https://schema.org", "@graph": [
            {"@type": "WebSite", "name": "Solvane", "publisher": {"@id": "#org"}},
            {"@type": "Corporation", "@id": "#org", "name": "Solvane A/S", "foundingDate": "1994",
             "numberOfEmployees": {"@type": "QuantitativeValue", "value": 620}, "sameAs": ["https://www.linkedin.com/company/solvane", "https://twitter.com/solvane", "https://en.wikipedia.org/wiki/Solvane"]}]},
        main=paragraphs("Solvane develops and makes industrial enzymes for detergents, baking and biofuel.", "Our customers, among them Tidebrand (founded 1921, 40,000 employees), wash colder every year."),
        footer="Solvane A/S, Lyngbyvej 20, 2100 København Ø, Denmark. Tel. +45 3910 4400",
        name="Solvane A/S", industry=("Biotech and Biomedical Industry", "Manufacturing Industry", None), linkedin="linkedin.com/company/solvane", twitter="@solvane",
        founded=1994, employees="501-1000", phones=("4539104400",), addresses=("Lyngbyvej 20",), city="København Ø",
    ),
    site(
        "wexford-herald", "The Wexford Herald – news, sport and opinion",
        head='<meta name="twitter:creator" content="@pat_keane">',
        main="".join(f"<article><h2>{t}</h2><p>{p}</p></article>" for t, p in (
            ("Hospital plan delayed", "The health board said the new wing at 4 Clinic Road, Wexford will open in 2028. Queries: 053 496 0100."),
            ("Bank to close six branches", "Harbour Bank, founded in 1856, will cut 400 employees. Contact press@harbourbank.example."),
            ("Hurling: county through", "Two late points sent the county to the final."))) + SHARES,
        footer="<ul>" + links("https://www.facebook.com/wexfordherald", "https://x.com/wexfordherald") + "</ul>Editor: <a href='mailto:editor@wexford-herald.example'>editor@wexford-herald.example</a>. Published since 1902.",
        name="The Wexford Herald", twitter="@wexfordherald", profiles=("facebook.com/wexfordherald",), industry=MEDIA, emails=("editor@wexford-herald.example",), founded=1902,
    ),
    site(
        "clarion-consult", "Clarion Consulting: what banks can learn from retailers",
        header="<nav><a href=/>Clarion Consulting</a><a href=/services>Services</a><a href=/insights>Insights</a><a href=/careers>Careers</a></nav>",
        main=article("What banks can learn from retailers", "Shops know their customers. Banks know their balances. We asked 40 retail banks what they sell at the till.",
                     "A loan is a product like milk: the shelf matters.", byline="<p>By <a href='https://www.linkedin.com/in/oskar-v'>Oskar V.</a>, partner</p>"),
        footer="Clarion Consulting is a management consultancy of 85 people in Zurich. <ul>" + links("https://www.linkedin.com/company/clarion-consulting") + "</ul>",
        name="Clarion Consulting", linkedin="linkedin.com/company/clarion-consulting", industry=("Management Consulting Industry",), employees="51-200", city=None,
    ),
    site(
        "parkview-dental", "Parkview Dental | Family dentist in Madison",
        data={"@type": "Dentist", "name": "Parkview Dental", "telephone": "608-555-0170", "address": {"streetAddress": "77 Regent St", "addressLocality": "Madison", "addressRegion": "WI", "postalCode": "53715"},
              "sameAs": ["https://www.facebook.com/parkviewdentalmadison"]},
        main=paragraphs("Check-ups, fillings and implants for all the family.", "Dr. Lin trained at the University of Michigan School of Dentistry, 1011 N University Ave, Ann Arbor, MI 48109."),
        name="Parkview Dental", industry=("Healthcare Industry",), phones=("6085550170",), addresses=("77 Regent St",), city="Madison", profiles=("facebook.com/parkviewdentalmadison",),
    ),
    site(
        "rivet-press", "Rivet Press releases | Vantor recalls 12,000 cars",
        main=article("Vantor recalls 12,000 cars", "STUTTGART — Vantor AG, the carmaker founded in 1962, today recalled 12,000 saloons over brakes.",
                     "About Vantor: Vantor AG is a leading manufacturer of cars with 24,000 employees. Media contact: Heidi Kraft, press@vantor.example, +49 711 496 0123, Neckarstraße 1, 70190 Stuttgart.",
                     "Follow Vantor: <a href='https://twitter.com/vantor'>@vantor</a> <a href='https://www.linkedin.com/company/vantor'>LinkedIn</a>"),
        footer="Rivet Press distributes press releases. <a href='https://twitter.com/rivetpress'>@rivetpress</a> © 2026 Rivet Press GmbH",
        twitter="@rivetpress", industry=(None, *MEDIA, "Advertising Industry"), name="Rivet Press",
    ),
    site(
        "goldleaf-events", "Goldleaf Events • weddings and parties in Bath",
        header="<ul class=icons>" + links("https://www.instagram.com/goldleaf.events", "https://www.tiktok.com/@goldleafevents") + "</ul>",
        main=paragraphs("We plan weddings from the first list to the last dance.", "Photography: <a href='https://www.instagram.com/nellshoots'>Nell Shoots</a>. Flowers: <a href='https://www.instagram.com/bloomco'>Bloom & Co</a>.",
                        "Call Ruth on <a href='tel:+441225496022'>01225 496022</a> or write to <a href='mailto:ruth@goldleaf-events.example'>ruth@goldleaf-events.example</a>."),
        name="Goldleaf Events", profiles=("instagram.com/goldleaf.events", "tiktok.com/@goldleafevents"), phones=("01225496022",), emails=("ruth@goldleaf-events.example",), industry=(None, "Hospitality Industry", "Entertainment Industry"),
    ),
    site(
        "openloom", "openloom/loom: a fast template engine",
        main=article("loom", "A fast template engine. See <a href='https://github.com/openloom/loom'>the repository</a>, <a href='https://github.com/openloom/loom-cli'>the CLI</a>.",
                     "Thanks to our contributors <a href='https://github.com/anna-k'>@anna-k</a> <a href='https://github.com/jdoe'>@jdoe</a> and to <a href='https://github.com/sponsors/openloom'>sponsors</a>.", "Templates compile once and render many times; the syntax is small enough to learn over lunch."),
        footer="MIT. <a href='https://github.com/openloom'>GitHub</a> <a href='https://twitter.com/openloom_js'>Twitter</a>",
        github="openloom", twitter="@openloom_js", industry=(None, "Technology Industry"),
    ),
    site(
        "hotel-belvoir", "Hôtel Belvoir, Annecy – chambres face au lac",
        data={"@type": "Hotel", "name": "Hôtel Belvoir", "telephone": "+33 4 50 49 60 12", "address": {"streetAddress": "5 quai de la Tournette", "addressLocality": "Annecy", "postalCode": "74000", "addressCountry": "FR"}},
        main=paragraphs("Douze chambres face au lac, petit-déjeuner sur la terrasse, et un jardin où les enfants jouent jusqu'au soir. Le parking est gratuit.", "À voir : le musée, 18 avenue de Trésum, Annecy, tél. 04 50 33 87 30."),
        footer="<a href='mailto:bonjour@hotel-belvoir.example'>bonjour@hotel-belvoir.example</a> <a href='https://www.instagram.com/hotelbelvoirannecy'>Instagram</a>",
        name="Hôtel Belvoir", phones=("33450496012",), emails=("bonjour@hotel-belvoir.example",), addresses=("5 quai de la Tournette",), city="Annecy", profiles=("instagram.com/hotelbelvoirannecy",), industry=("Hospitality Industry",),
    ),
    site(
        "vossberg-maschinenbau", "Vossberg Maschinenbau GmbH – Pressen und Stanzen",
        main=paragraphs("Wir bauen hydraulische Pressen und Stanzautomaten für die Blechverarbeitung.", "Seit 1954 in Familienhand. Jede Maschine wird vor der Auslieferung eine Woche lang geprüft und beim Kunden aufgebaut."),
        footer="Vossberg Maschinenbau GmbH · Industriestraße 12 · 58093 Hagen · Telefon: +49 2331 496050 · E-Mail: info@vossberg-maschinenbau.example",
        name="Vossberg Maschinenbau", phones=("492331496050",), emails=("info@vossberg-maschinenbau.example",), addresses=("Industriestraße 12",), city="Hagen", founded=1954, unread=("missing industry",),
        industry=("Manufacturing Industry", "Mechanical and Industrial Engineering Industry"),
    ),
    site(
        "gallery-of-maps", "Map of Lisbon 1598 | Gallery of Maps",
        data={"@type": "Product", "name": "Map of Lisbon 1598", "brand": {"@type": "Brand", "name": "Braun & Hogenberg"}, "offers": {"@type": "Offer", "price": "240", "priceCurrency": "EUR",
              "seller": {"@type": "Organization", "name": "Gallery of Maps"}}, "manufacturer": {"@type": "Organization", "name": "Hogenberg Press", "foundingDate": "1572", "telephone": "+31 20 496 0110", "sameAs": "https://twitter.com/hogenbergpress"}},
        main=paragraphs("Copper engraving with later colour. €240. Add to cart.", "Published in Cologne in 1598. Shipping from Antwerp in two days, in a tube that has never let a map be bent."),
        footer="<a href='https://twitter.com/galleryofmaps'>Twitter</a> <a href='https://www.facebook.com/groups/mapcollectors'>Our readers' group</a>",
        name="Gallery of Maps", twitter="@galleryofmaps", industry=("Retail Industry",),
    ),
    site(
        "st-brannock", "St Brannock's Primary School",
        main=paragraphs("Welcome to our school of 210 children. Term starts on 3 September, and the gates open at half past eight.", "Uniform is sold by Kidkit, 8 Fore Street, Braunton, 01271 496 015."),
        footer="<p>School office</p><p>Tel: 01271 496 088</p><p>Email: office@st-brannock.example</p><p>St Brannock's Primary School, Church Lane, Braunton, Devon EX33 2AB</p><p>Follow <a href='https://twitter.com/DfE'>DfE</a></p>",
        name="St Brannock's Primary School", phones=("01271496088",), emails=("office@st-brannock.example",), industry=("Education industry",), addresses=("Church Lane",), city="Braunton",
    ),
    site(
        "gridwise-jobs", "Senior Wind Engineer at Northsea Power | Gridwise Jobs",
        data={"@type": "JobPosting", "title": "Senior Wind Engineer", "hiringOrganization": {"@type": "Organization", "name": "Northsea Power", "sameAs": ["https://www.linkedin.com/company/northsea-power"], "foundingDate": "2001", "numberOfEmployees": 3000},
              "jobLocation": {"@type": "Place", "address": {"streetAddress": "1 Wharf Road", "addressLocality": "Aberdeen"}}},
        main=article("Senior Wind Engineer", "Northsea Power is a wind energy company with 3,000 employees, founded in 2001. Apply to jobs@northseapower.example or 01224 496 001.", "You will look after turbines far out at sea and lead a crew of nine."),
        footer="Gridwise Jobs lists vacancies in energy. <a href='https://www.linkedin.com/company/gridwise-jobs'>LinkedIn</a>",
        name="Gridwise Jobs", linkedin="linkedin.com/company/gridwise-jobs", industry=(None, "Information Services Industry"),
    ),
    site(
        "harlowbank", "Harlow Bank – current accounts, mortgages and savings",
        data={"@type": "BankOrCreditUnion", "name": "Harlow Bank", "sameAs": ["https://twitter.com/harlowbank", "https://www.youtube.com/harlowbank"]},
        main=paragraphs("Open an account in ten minutes. Mortgages from 3.9 % APRC.", "Scam alert: we never write from harlow-bank@webmail.example nor call from 020 7946 0999."),
        footer="Harlow Bank plc. Registered office: 200 Cheapside, London EC2V 6AA. Authorised by the Prudential Regulation Authority.",
        name="Harlow Bank", twitter="@harlowbank", profiles=("youtube.com/harlowbank",), industry=("Financial Industry",), addresses=("200 Cheapside",), city="London",
    ),
    site(
        "museum-of-salt", "Museum of Salt — visit us",
        main=paragraphs("Two thousand years of salt in one warehouse. Open Tuesday to Sunday.", "The exhibition “1600 Amphitheatre Parkway” shows the office as landscape."),
        footer="<div class='contact'><p>Museum of Salt<br>23 Saltgate<br>Droitwich<br>WR9 8AA</p><p>T 01905 496 012</p><p>visit@museum-of-salt.example</p></div>"
        "<ul>" + links("https://twitter.com/museumofsalt", "https://www.facebook.com/pages/Museum-of-Salt/12345678") + "</ul>",
        name="Museum of Salt", twitter="@museumofsalt", phones=("01905496012",), emails=("visit@museum-of-salt.example",), addresses=("23 Saltgate",), city="Droitwich", profiles=("facebook.com/pages/Museum-of-Salt/12345678",),
        industry=(None, "Entertainment Industry", "Education industry"),
    ),
    site(
        "dairy-daily", "Milk prices rise again | Dairy Daily",
        header="<nav><a href=/news>News</a><a href=/markets>Markets</a><a href=/opinion>Opinion</a><a href=/subscribe>Subscribe</a></nav>",
        main=article("Milk prices rise again", "Farmgate milk rose to 41p a litre in May, the fourth rise in a row. Processors such as Arlen Foods, of 8 Creamery Road, Crewe CW1 2XX, blame feed.",
                     "Arlen Foods has 1,200 employees. Cows need grass, and farms need rain.", byline="<p>By <a rel=author href='https://x.com/milkymags'>Mags O'Dell</a> · mags@dairy-daily.example</p>",
                     after="<aside>Follow <a href='https://x.com/arlenfoods'>Arlen Foods on X</a></aside>"),
        footer="© 2026 Dairy Daily. All rights reserved. Subscribe for £9 a month.",
        name="Dairy Daily", industry=MEDIA,
    ),
]  # fmt: skip

"""A page that is but a notice of its site (consent, log-in, error, terms) is about nothing."""

import pytest
from written_pages import read, segmented

from toolkit.service.pages.parsed import page_from_text
from toolkit.service.subjects.content import classify
from toolkit.service.subjects.notices import is_notice

NOTICES = {
    "cookie1": (
        "We value your privacy. We and our partners store and access information on a device, such as cookies, "
        "and process personal data, such as unique identifiers and standard information sent by a device, for "
        "personalised advertising and content, measurement, audience research and services development. With your "
        "permission we may use precise geolocation data. You may click to consent to our processing as described "
        "above, or access more detailed information and change your preferences before consenting. Accept all. "
        "Reject all. Manage options. "
    ),
    "cookie2": (
        "This website uses cookies. Strictly necessary cookies make the site work. Performance cookies help us "
        "count visits and traffic sources so we can measure and improve our site. Functional cookies remember "
        "your choices. Targeting cookies may be set by our advertising partners. You can change your cookie "
        "settings at any time. Save and close. "
    ),
    "login1": (
        "Sign in to your account. Email address. Password. Remember me. Forgot your password? Don't have an "
        "account yet? Create one now. By signing in you agree to our terms of service and privacy policy. "
        "Continue with Google. Continue with Apple. "
    ),
    "login2": (
        "Members' area. Please log in with your username and password to continue. If you have forgotten your "
        "password, enter your e-mail address and we will send you a link to reset it. For security reasons you "
        "will be logged out after 15 minutes without activity. Need help? Contact support. "
    ),
    "board1": (
        "You are not authorised to read this forum. The board requires you to be registered and logged in to view "
        "this page. If you have registered already and have no activation e-mail yet, look in your spam folder, or "
        "contact the board administrator. "
    ),
    "board2": (
        "You are not logged in or you do not have permission to access this page. This could be due to one of "
        "several reasons: You are not logged in. Fill in the form at the bottom of this page and try again. You may "
        "not have sufficient privileges to access this page. If you are trying to post, the administrator may have "
        "disabled your account, or it may be awaiting activation. "
    ),
    "board3": (
        "The topic or board you are looking for appears to be either missing or off limits to you. Please log in "
        "below or register an account. "
    ),
    "404a": (
        "Page not found. Sorry, the page you are looking for doesn't exist or has been moved. Check the address "
        "for typing errors, go back to the previous page, or return to the homepage. If you think something is "
        "broken, let us know. "
    ),
    "404b": (
        "Oops! 404. We looked everywhere but couldn't find that page. It may have been removed, renamed, or never "
        "existed at all. Try searching, or head back home. "
    ),
    "503": (
        "Service temporarily unavailable. We are performing scheduled maintenance and will be back shortly. Thank "
        "you for your patience. Please try again in a few minutes. "
    ),
    "construction": (
        "Coming soon. Our new website is under construction. Leave your email address and we will let you know "
        "when we launch. Follow us in the meantime. "
    ),
    "empty": (
        "Welcome to our website. We are glad you are here. Please have a look around using the menu above. Our "
        "new home page is on its way. Come back soon! "
    ),
    "terms": (
        "These terms and conditions govern your use of this website; by using this website, you accept these "
        "terms and conditions in full. If you disagree with these terms and conditions or any part of them, you "
        "must not use this website. Unless otherwise stated, we own the intellectual property rights in the "
        "website and material on the website. You must not republish material from this website, sell, rent or "
        "sub-license material, or reproduce, duplicate or copy material for a commercial purpose. "
    ),
    "privacy": (
        "This privacy policy explains how we collect, use and protect the information you give us when you use "
        "this website. We may collect the following information: name, contact information including email "
        "address, demographic information such as postcode. We use this information for internal record keeping "
        "and to improve our services. You may request details of personal information which we hold about you "
        "under the Data Protection Act. If you believe that any information we are holding is incorrect, please "
        "write to us. "
    ),
    "captcha": (
        "Checking your browser before accessing the site. This process is automatic. Your browser will redirect "
        "to your requested content shortly. Please enable cookies and JavaScript. Verify you are human. "
    ),
    "unsub": (
        "You have been unsubscribed. You will no longer receive emails from us. Changed your mind? Update your "
        "preferences at any time. It may take up to 48 hours for this change to take effect. "
    ),
    "thanks": (
        "Thank you! Your message has been sent. We have received your enquiry and someone will get back to you "
        "within two working days. You can close this window now. "
    ),
}
ARTICLES = {
    "gdpr": (
        "What the new cookie rules mean for publishers. The regulator said on Monday that websites may no longer "
        "nudge readers into consent. Publishers in Germany and France expect advertising revenue to fall by a "
        "fifth, and several have begun to offer a paid version without tracking. Lawyers say that smaller sites "
        "will have to redesign their banners by June or face fines of up to four percent of turnover. "
    ),
    "permission": (
        "If you have permission to plant on the verge, the council lends tools. If you have not, write to the parks "
        "officer with a sketch and the species. Planting without permission is dug up. Trees need a root barrier, and "
        "hedges may be three feet high at most; roses want a bed and a spade's depth of compost. In spring the officer "
        "walks the street with whoever has asked, and marks the pipes in yellow paint. "
    ),
    "password": (
        "How to choose a password manager. We tested seven password managers for a month on Windows, macOS and "
        "Android. All encrypt your vault on the device, but they differ in how they share passwords within a "
        "family, how they handle passkeys and what happens if you forget the master password. "
    ),
}


@pytest.mark.parametrize("kind", NOTICES)
def test_a_notice_of_a_site_has_no_subject(kind):
    content = classify(page_from_text(NOTICES[kind]))
    assert (content.v3, content.v2, content.filtering) == ((), (), ())


@pytest.mark.parametrize(
    ("kind", "main"),
    [("gdpr", "Business and Finance"), ("password", "Technology & Computing"), ("permission", "Home & Garden")],
)
def test_an_article_on_what_notices_speak_of_has_one(kind, main):
    assert classify(page_from_text(ARTICLES[kind])).v3[0].path == main


#: What one gets in the place of a page, without a phrase that all of them have.
WORDED = {
    "We'll be back on Sunday": (
        "Online and mobile banking is unavailable while we carry out planned work, from 11pm on Saturday to 6am on "
        "Sunday. You can still use your debit card and cash machines. Payments and standing orders that are due "
        "will be made on the next working day. We're sorry for any inconvenience."
    ),
    "Payment unsuccessful": (
        "Sorry, your card issuer declined the payment and you have not been charged. Check your card details and "
        "your account balance, try a different card or bank account, or contact your bank. Your reference is "
        "40-11872."
    ),
    "Your cookie settings": (
        "Choose what we may store on your device. Essential cookies keep the website, the server and your log-in "
        "working. Analytics tell our developers which software features and pages are used. Marketing lets networks "
        "show you adverts on other sites and apps. Save my choices."
    ),
    "Your browser is too old for this": (
        "The app uses web features that this version of your browser does not have, such as graphics acceleration. "
        "Update your browser, install the desktop software, or open the link on another computer. Your files and "
        "projects are safe in the cloud."
    ),
    "Account suspended": (
        "The hosting account for this domain has been suspended. If you own this website, contact the hosting "
        "provider's support about your server, unpaid invoices or use of resources. Databases and mailboxes are "
        "kept for thirty days."
    ),
}
#: What tells of such pages.
TOLD_OF = {
    "Why your bank signs you out": (
        "Banks end a session after ten minutes because a forgotten screen is an open till. We asked five lenders "
        "how long their apps and their online banking wait, which of them let customers choose, and what happens to "
        "a transfer that was half typed. Credit unions are the most patient; one building society waits an hour."
    ),
    "Three hours in the queue for one ticket": (
        "We had a place in the line at six in the morning and there were 2,310 fans before us. My daughter wanted "
        "to see the semi-final, so we drank tea from a flask, talked about the striker's knee with a man from "
        "Leeds, and waited. At nine the stewards gave out numbers, and by ten we held two seats behind the goal."
    ),
}


@pytest.mark.parametrize("title", WORDED)
def test_a_page_that_is_worded_as_notices_are_has_no_subject_nor_readers_nor_interests(title):
    assert not is_notice(page_from_text(WORDED[title]))
    content = read(title, WORDED[title]).content
    assert (content.v3, content.v2, content.filtering) == ((), (), ())
    said = segmented(title, WORDED[title])
    assert (said["interests"]["tier1"], said["purchase_intent"]["codes"], said["personas"]) == ([], [], [])
    assert said["demographics"]["education_level"] is None


@pytest.mark.parametrize(("title", "main"), list(zip(TOLD_OF, ("Personal Finance", "Sports"), strict=True)))
def test_what_tells_of_notices_keeps_its_subject(title, main):
    assert read(title, TOLD_OF[title]).content.v3[0].path == main


ANGLERS = (
    '<meta name="description" content="Fly fishing, coarse fishing and sea fishing: rods, reels and bait for anglers.">'
)


def test_a_page_to_log_in_is_of_what_its_site_plainly_is_of_and_nobody_is_named_for_it():
    found = read("Sign in | Tench Fishing Tackle", NOTICES["login1"], "/login", head=ANGLERS)
    assert [category.path for category in found.content.v3 if category.tier == 1] == ["Sports"]
    assert found.content.v3[0].confidence <= 0.8
    said = segmented("Sign in | Tench Fishing Tackle", NOTICES["login1"], "/login", head=ANGLERS)
    assert (said["personas"], said["purchase_intent"]["codes"]) == ([], [])
    assert read("Sign in | Dunmore", NOTICES["login1"], "/login").content.v3 == ()


def test_consent_stands_before_a_site_and_an_error_before_nothing():
    asked = read("Tench Fishing Tackle", NOTICES["cookie1"], "/", head=ANGLERS)
    assert asked.content.v3[0].path == "Sports"
    missing = "Page not found. It may have been moved or removed. Go back to the homepage or try a search."
    assert read("404 Not Found | Tench Fishing Tackle", missing, "/gone", head=ANGLERS).content.v3 == ()

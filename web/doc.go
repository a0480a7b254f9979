// Package web is the pages for people: signing in, account settings, the dashboard, and the
// operators' pages. Everything that they need is embedded, nothing is loaded from elsewhere, and
// no page needs a build step.
//
// Pages are rendered here and work without scripts (docs/decisions/0038-one-renderer.md). Live activity, previews of alerts and charts of
// counties change while they are open: their scripts (static/*.js, plain modules) ask /graphql with the reader's session, so they can show
// nothing that a program with a key could not read.
//
// A request passes package web/page, which checks where it comes from and who reads, and then a
// handler here. A handler makes calls of store.Store and shows a template with the result, or
// redirects after a form. Each change leaves a line in the account's trail. What a record says
// reaches a page as text only, never as markup. Package internal/service makes the Site and
// hands it what it needs of other packages.
//
// Rules about records and queries do not belong here; they are in package models.
package web

// Package web is the pages for people: signing in, account settings, and the dashboard. Everything it needs is embedded,
// nothing comes from elsewhere, and no page needs a build step.
//
// The pages of settings are plain forms, which work without scripts; search and records have a plain form too (plain.go). The
// dashboard's pages are frames whose scripts
// (static/*.js, plain modules) ask /graphql with the reader's session: they can show nothing that a program with a key could
// not read. What a record says reaches the page as text only, never as markup. Rules and queries are models' business.
package web

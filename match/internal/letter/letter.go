// Package letter is about the letters of a name: one form for all its spellings (Fold), what is left of it once a source's
// noise is removed (Clean), how far two words are apart (Edits), and what they sound like (Sound, Spelling). It knows no
// names: frequencies, nicknames and the parts of a name belong to package match.
//
// It imports nothing of rollcall. Its results go into stored search keys and into scores, so a change of any of them needs
// the labelled pairs (TestPairsReachTheFloors... in match) and, for Fold, a new search key for every record.
package letter

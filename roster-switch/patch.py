p='models/reconcile_roster.go'
s=open(p).read()
if 'RosterHook' not in s:
    s=s.replace('''	keyOnly := false
	return s.reconcile(''','''	if RosterHook != nil {
		return RosterHook(s, ctx, r, rows)
	}
	keyOnly := false
	return s.reconcile(''')
open(p,'w').write(s)
p='models/merge.go'
s=open(p).read()
if 'MergeBookingsHook' not in s:
    s=s.replace('''func (s *Store) MergeBookings(ctx context.Context, kept, gone string) error {
''','''func (s *Store) MergeBookings(ctx context.Context, kept, gone string) error {
	if MergeBookingsHook != nil {
		return MergeBookingsHook(s, ctx, kept, gone)
	}
''')
open(p,'w').write(s)
p='models/review.go'
s=open(p).read()
if 'ReviewHook' not in s:
    s=s.replace('''		after := &p.Reason
''','''		if ReviewHook != nil && p.Family == Roster {
			return ReviewHook(s, ctx, tx, key, p.Reason, decision, actor, note)
		}
		after := &p.Reason
''')
open(p,'w').write(s)

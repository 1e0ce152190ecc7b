# The map of folders in CONTRIBUTING.md, section "Where things are": a block of lines
#     src/            the core
#       mesh/           storage, trees, mass; triangle/ inspect/
#         winding/        solid angles
#     cli/ viewer/    programs
# where a line is a folder, or several, with a description, indented below its parent. Lines that start in the
# column of descriptions go on with the one before. Names with a slash at the end in a description are
# sub-folders, or others that it speaks of.
package FolderMap;
use strict;
use warnings;
use CSource;

# (entries: [ { path, line, text, mentions: [name...] } ], or undef and why).
sub read_map {
    my ($path) = @_;
    return (undef, "$path is missing") if !-f $path;
    my @lines = split(/\n/, CSource::read_text($path));
    my ($start) = grep { $lines[$_] =~ /^## Where things are/ } 0 .. $#lines;
    return (undef, "$path has no section 'Where things are'") if !defined $start;

    my (@entries, @parents, $column);
    for my $i ($start + 1 .. $#lines) {
        my $line = $lines[$i] =~ s/^( {4}[ |`-]*)/' ' x length($1)/er; # a drawn tree will do, too
        last if $line =~ /^## / || (@entries && $line =~ /^\S/);
        next if $line !~ /^( {4,})(\S.*)$/;
        my ($indent, $rest) = (length($1), $2);
        if (@entries && defined $column && $indent >= $column) {
            $entries[-1]{text} .= " $rest";
            next;
        }
        next if $rest !~ m{^((?:[\w.-]+/)+(?:\s(?:[\w.-]+/)+)*)(\s*)(.*)$};
        my ($names, $space, $text) = ($1, $2, $3);
        $column = length($text) ? $indent + length($names) + length($space) : undef;
        pop @parents while @parents && $parents[-1][0] >= $indent;
        my $parent = @parents ? $parents[-1][1] : '';
        push @entries, map { { path => $parent . $_, line => $i + 1, text => $text } } split(/\s/, $names);
        push @parents, [ $indent, $entries[-1]{path} ];
    }
    for my $entry (@entries) {
        $entry->{mentions} = [ $entry->{text} =~ m{(?<![\w/<>.])([\w-]+)/(?![\w<])}g ];
    }
    return (@entries ? \@entries : undef, "$path has no folders in 'Where things are'");
}

1;

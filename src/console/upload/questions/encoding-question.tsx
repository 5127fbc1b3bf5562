import { Radio, Text } from '@mantine/core'
import type { Encoding } from '#files/text/encodings'
import { type FileQuestionProps, QuestionCard } from './question-card'

const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  macintosh: 'Old Macintosh',
  cp437: 'DOS, American (437)',
  cp850: 'DOS, Western European (850)',
  cp852: 'DOS, Central European (852)',
  ibm866: 'DOS, Cyrillic (866)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
}

/** Asks in which encoding the file is, each with how the file reads in it. */
export function EncodingQuestion({ file: { csv, answers }, upload, disabled }: FileQuestionProps) {
  const { encoding } = answers
  return (
    <QuestionCard
      title="How are the letters of this file written?"
      answer={encoding && ENCODING_NAMES[encoding]}
      disabled={disabled}
    >
      <Text size="sm">
        The file does not say it. Choose the one that reads right. In the spreadsheet program, “CSV UTF-8” avoids this
        question.
      </Text>
      <Radio.Group
        label="Reads right"
        value={encoding ?? null}
        onChange={(value) => {
          const sample = csv.encodingSamples.find((one) => one.encoding === value)
          if (sample !== undefined) upload.answer({ encoding: sample.encoding })
        }}
      >
        <div className="samples">
          {csv.encodingSamples.map((sample) => (
            <Radio
              key={sample.encoding}
              value={sample.encoding}
              disabled={disabled}
              label={
                <>
                  {sample.lines.map((line) => (
                    <Text key={line} span display="block" size="sm" className="breakable">
                      {line}
                    </Text>
                  ))}
                  <Text span size="xs" c="dimmed">
                    {ENCODING_NAMES[sample.encoding]}
                  </Text>
                </>
              }
            />
          ))}
        </div>
      </Radio.Group>
    </QuestionCard>
  )
}

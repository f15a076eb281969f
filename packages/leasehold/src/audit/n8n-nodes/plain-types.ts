import { names } from './names.ts';

/** Types of n8n itself that change nothing outside (n8n-nodes-base 2.41.2). */
export const TRANSFORMS: ReadonlySet<string> = names(
  'set,if,switch,filter,merge,noOp,itemLists,splitOut,aggregate,limit,sort,summarize,dateTime,crypto',
  'html,htmlExtract,xml,markdown,compression,convertToFile,extractFromFile,moveBinaryData',
  'spreadsheetFile,renameKeys,compareDatasets,stopAndError,respondToWebhook,stickyNote,debugHelper',
  'executionData,form,editImage,readPDF,jwt,totp,evaluation,iCal,readBinaryFile,readBinaryFiles',
  'quickChart,simulate,guardrails',
);

/** What starts a run without being named `…Trigger`. */
export const STARTERS: ReadonlySet<string> = names('start,cron,interval,webhook,emailReadImap');
export const MANUAL: ReadonlySet<string> = names('manualTrigger,start,manualChatTrigger,evaluationTrigger');
/** They bring no record that would be lost where a lock skips the run. */
export const RECORDLESS: ReadonlySet<string> = names('errorTrigger,n8nTrigger,workflowTrigger,executeWorkflowTrigger');

/** Nodes for language models that ask and change nothing; what is plugged into them is read apart. */
export const MODELS: ReadonlySet<string> = names(
  'openAi,chainLlm,chainSummarization,chainRetrievalQa,informationExtractor,textClassifier',
  'sentimentAnalysis,googleGemini,anthropic,ollama,mistralAi,deepL,googleTranslate,awsTextract',
  'awsRekognition,awsTranscribe,awsComprehend,openAiAssistant,perplexity,jinaAi,modelSelector,mindee',
  'humanticAi,clearbit,hunter,dropcontact',
);
/** Agents: what their tools do, they do. */
export const AGENTS: ReadonlySet<string> = names('agent,agentTool,openAiAssistant');
